/** Returns the host of tracked links in a sending domain's mail; `undefined` if they have the base URL's. */
export const trackingDomain = ({
  name,
  tracking,
}: {
  name: string;
  tracking: string | undefined;
}): string | undefined => (tracking === undefined ? undefined : `${tracking}.${name}`);
