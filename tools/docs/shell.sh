# What the documents' commands run as: the same commands, in a process that is warm already.
posthorn() {
  local arg call answer
  for arg in "$@"; do
    case "$1 $arg" in
      "serve serve" | "dev dev" | "worker worker" | *" --follow" | *" --forward-to")
        case " $* " in *" --once "*) ;; *) __long posthorn "$@"; return ;; esac ;;
    esac
  done
  __note call "$@"
  : > "$call.stdin"
  case " $* " in *"-stdin "* | *" - "* | *"=- "*) cat > "$call.stdin" ;; esac
  __ask "$call" || { printf '%s\n' "$answer" >&2; return 99; }
  __show "$call.stdout"
  __show "$call.stderr" >&2
  return "$answer"
}

# Started, awaited until ready, and stopped at the document's end.
__long() {
  local call answer
  shift
  __note long "$@"
  __ask "$call" || { printf '%s\n' "$answer" >&2; return 99; }
  eval "$answer"
}

# The following use what bash has itself: seven programs for each command cost more than the command.

# Writes down a command with its folder and environment, in files that begin with $call.
__note() {
  local name
  call=$DOCS_CALLS/$1.$BASHPID.$RANDOM
  shift
  printf '%s\0' "$@" > "$call.args"
  pwd > "$call.cwd"
  for name in $(compgen -e); do printf '%s=%s\0' "$name" "${!name}"; done > "$call.env"
}

# Sets $answer to the runner's; fails unless it is a success.
__ask() {
  local line
  exec {line}<> "/dev/tcp/127.0.0.1/$DOCS_RUNNER"
  printf 'GET %s HTTP/1.0\r\n\r\n' "$1" >&"$line"
  IFS= read -r -d '' answer <&"$line" || true
  exec {line}>&-
  case $answer in "HTTP/1.1 200 "*) ;; *) return 1 ;; esac
  answer=${answer#*$'\r\n\r\n'}
}

__show() {
  local text
  IFS= read -r -d '' text < "$1" || true
  printf '%s' "$text"
}

npx() { "$@"; }

# A script of the repository's: it must be there. The demo is run; what runs these tests can't be.
npm() {
  case "$*" in
    ci | test) ;;
    "run demo") posthorn demo ;;
    "run "*) node -e 'if (!require(process.argv[1]).scripts[process.argv[2]]) process.exit(1)' "$DOCS_ROOT/package.json" "$2" ;;
    *) echo "the documents' test does not know: npm $*" >&2; return 98 ;;
  esac
}

# The server of a document listens on a free port.
curl() {
  local args=("$@")
  [ -z "$DOCS_URL" ] || args=("${args[@]//http:\/\/127.0.0.1:8080/$DOCS_URL}")
  command curl -sS --fail-with-body "${args[@]}"
}
