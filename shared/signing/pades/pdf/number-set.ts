import { type Budget, chargeList } from '../../../bounds/budget.ts';

const NUMBERS_A_PAGE = 2048;
const PAGE_BYTES = 400; // a bit for each number, and the page's entry in the map

/** A set of object numbers: a bit each, as they are mostly close together. */
export type NumberSet = { readonly has: (number: number) => boolean; readonly add: (number: number) => void };

export function createNumberSet(budget: Budget): NumberSet {
  const pages = new Map<number, Uint8Array>();
  return {
    has: (number) =>
      ((pages.get(Math.floor(number / NUMBERS_A_PAGE))?.[(number % NUMBERS_A_PAGE) >> 3] ?? 0) &
        bitOf(number)) !==
      0,
    add: (number) => {
      const key = Math.floor(number / NUMBERS_A_PAGE);
      let page = pages.get(key);
      if (!page) {
        chargeList(budget, PAGE_BYTES);
        page = new Uint8Array(NUMBERS_A_PAGE / 8);
        pages.set(key, page);
      }
      const at = (number % NUMBERS_A_PAGE) >> 3;
      page[at] = (page[at] ?? 0) | bitOf(number);
    },
  };
}

const bitOf = (number: number): number => 1 << (number % 8);
