import { beforeEach, expect, test, vi } from "vitest";
import { StorageUnavailable } from "../../ports/storage.ts";
import { inPieces, type PieceSizes } from "./in-pieces.ts";

const pause = vi.fn(async () => {});
beforeEach(() => void pause.mockClear());

const sizes: PieceSizes = { first: 10, least: 10, most: 10 };
const removing = (...counts: number[]) => vi.fn(async () => counts.shift() ?? 0);
const going = () => false;

test("a pause follows each piece that removed rows, also the last, and none that found nothing", async () => {
  expect(await inPieces(removing(10, 10, 3), going, sizes, pause)).toBe(23);
  expect(pause).toHaveBeenCalledTimes(3);
  expect(await inPieces(removing(0), going, sizes, pause)).toBe(0);
  expect(pause).toHaveBeenCalledTimes(3);
  const pages = [
    { removed: 0, next: 7 },
    { removed: 1, next: undefined },
  ];
  expect(await inPieces(async () => pages.shift() ?? 0, going, sizes, pause)).toBe(1);
  expect(pause).toHaveBeenCalledTimes(5);
});

test("once it is stopped, it neither pauses nor removes more", async () => {
  let isStopped = false;
  const remove = vi.fn(async (limit: number) => {
    isStopped = true;
    return limit;
  });
  expect(await inPieces(remove, () => isStopped, sizes, pause)).toBe(10);
  expect(remove).toHaveBeenCalledTimes(1);
  expect(pause).not.toHaveBeenCalled();
});

test("a piece that finds the storage unavailable is repeated, a few times in a row", async () => {
  const busy = () => Promise.reject(new StorageUnavailable("locked"));
  const pages = [
    async () => ({ removed: 2, next: 7 }),
    busy,
    busy,
    async () => ({ removed: 1, next: undefined }),
  ];
  const remove = vi.fn((_: number, _after: number | undefined) => pages.shift()?.() ?? busy());
  expect(await inPieces(remove, going, sizes, pause)).toBe(3);
  expect(remove.mock.calls.map(([, after]) => after)).toEqual([undefined, 7, 7, 7]);
  remove.mockClear();
  await expect(inPieces(remove, going, sizes, pause)).rejects.toThrow(StorageUnavailable);
  expect(remove).toHaveBeenCalledTimes(6);
});
