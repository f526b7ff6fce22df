const unescaped =
  "is not a valid URL: characters such as @ : / # % in names and passwords are written as %40 and the like";

/**
 * Says what is wrong with a URL that begins with a protocol and `//` and can't be read, without anything of it: it may
 * hold a password.
 */
export function urlFault(url: string): string {
  const [, start = "", place = ""] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)/.exec(url) ?? [];
  // What follows would be a path: the host seems to come only behind it.
  if (url.slice(start.length + place.length).includes("@")) return unescaped;
  if (/\s/.test(place)) return "has a blank in its host or port";
  if (/^[\da-f.]*:[\da-f.:]*:[\da-f.:]*$/i.test(place))
    return "has an IPv6 address without brackets: it is written as [::1] or [::1]:25";
  const [, host, port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(place) ?? [];
  if (host === "") return "names no host";
  if (!/^\d*$/.test(port) || Number(port) > 65_535)
    return "has an invalid port: behind the host and a colon it is a number up to 65535";
  return start.includes("@") ? unescaped : "is not a valid URL: its host is no host name or IP address";
}
