/** The times that ISO 8601 names without an agreement, as answers do: those of the years 0000 to 9999. In ms since the epoch. */
export const namedTimes = {
  from: Date.parse("0000-01-01T00:00:00Z"),
  until: Date.parse("9999-12-31T23:59:59.999Z"),
} as const;

/** Whether answers can name a time. One of another zone may be of the year 10000 in UTC. */
export const isNamedTime = (ms: number): boolean => ms >= namedTimes.from && ms <= namedTimes.until;
