import { expect, test } from "vitest";
import { createHostPlaces } from "./create-host-places.ts";

/** Lets pools join one host, which take a place when they are called back, if they still want one. */
function joinHost(most: number) {
  const hosts = createHostPlaces(most);
  return (wanted = true) => {
    const looks: boolean[] = [];
    const place = hosts.join("relay.example", {
      look: () => wanted && looks.push(place.take()),
      spare: () => false,
    });
    return { ...place, looks };
  };
}

test("a free place goes to the pool that waited longest and still wants one", () => {
  const join = joinHost(1);
  const [holder, served, first, second] = [join(), join(false), join(), join()];
  expect([holder, served, first, second].map(({ take }) => take())).toEqual([true, false, false, false]);
  holder.free();
  expect([first.looks, second.looks]).toEqual([[true], []]);
  expect([first, second].map(({ isWanted }) => isWanted())).toEqual([true, false]);
  first.free();
  expect([second.looks, second.isWanted()]).toEqual([[true], false]);
});
