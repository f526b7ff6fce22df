/**
 * Most ms for one address of a host that has several, before the next is tried: time for a lost packet to be sent again,
 * after 1 s and 3 s. Node's own 250 or 500 ms (22, 26) never reach a distant host at its IPv4 address if this machine has no
 * IPv6, which is tried and fails.
 */
export const addressPatienceMs = 4_000;
