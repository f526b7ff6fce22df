# What the documents' commands run as: the same commands, in a process that is warm already.
posthorn() {
  local dir arg
  for arg in "$@"; do
    case "$1 $arg" in
      "serve serve" | "dev dev" | "worker worker" | *" --follow" | *" --forward-to")
        case " $* " in *" --once "*) ;; *) __long posthorn "$@"; return ;; esac ;;
    esac
  done
  dir=$(mktemp -d "$DOCS_CALLS/call.XXXXXX")
  printf '%s\0' "$@" > "$dir/args"
  pwd > "$dir/cwd"
  env -0 > "$dir/env"
  : > "$dir/stdin"
  case " $* " in *"-stdin "* | *" - "* | *"=- "*) cat > "$dir/stdin" ;; esac
  command curl -sS --fail "$DOCS_RUNNER$dir" > "$dir/rc" || return 99
  cat "$dir/stdout"
  cat "$dir/stderr" >&2
  return "$(cat "$dir/rc")"
}

# Started, awaited until ready, and stopped at the document's end.
__long() {
  local dir
  dir=$(mktemp -d "$DOCS_CALLS/long.XXXXXX")
  shift
  printf '%s\0' "$@" > "$dir/args"
  pwd > "$dir/cwd"
  env -0 > "$dir/env"
  command curl -sS --fail "$DOCS_RUNNER$dir" > "$dir/exports" || { cat "$dir/exports" >&2; return 99; }
  . "$dir/exports"
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
