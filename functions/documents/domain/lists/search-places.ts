import { createHash } from 'node:crypto';
import { logger } from '../../../../shared/log/logger.ts';
import { collection } from '../../../../shared/store/collection.ts';

// A program that pages by number alone asks for page 7 after page 6. Where page 6 of a search has ended, page 7 begins:
//
//   page 6  |--walks to match 140--|  keeps: 7 begins behind match 140
//   page 7                             |--walks from there--|  keeps: 8 begins ...
//
// So a page costs the same wherever it is. A place is kept anew whenever the page before it is read; without one the list
// is walked from its beginning.

type SearchPlace = {
  readonly search: string;
  readonly page: number;
  readonly cursor: string;
  readonly keptAtMs: number;
};

const KEPT_MS = 10 * 60_000;

const searchPlaces = collection<SearchPlace, Pick<SearchPlace, 'search' | 'page'>>({
  service: 'documents',
  name: 'place of a search',
  id: ({ search, page }) => ({ search, page }),
  key: ({ search, page }) => ({ pk: `SEARCH#${search}`, sk: `PAGE#${page}` }),
  indexed: ({ keptAtMs }) => ({ ttl: Math.ceil((keptAtMs + KEPT_MS) / 1000) }),
});

/** Where the pages of a search begin. */
export type SearchPlaces = {
  readonly find: (page: number) => Promise<string | undefined>;
  readonly keep: (page: number, cursor: string) => Promise<void>;
};

/** The places of one search, by everything that it asks for, the page aside. */
export function placesOf(asked: readonly unknown[], nowMs: number): SearchPlaces {
  const search = createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
  return {
    async find(page) {
      const found = await searchPlaces.get({ search, page });
      return found && nowMs - found.keptAtMs < KEPT_MS ? found.cursor : undefined;
    },
    async keep(page, cursor) {
      await searchPlaces.put({ search, page, cursor, keptAtMs: nowMs }).catch((error: unknown) => {
        // The next page is walked to from the beginning.
        logger('documents').warn('The place of a search was not kept.', { error });
      });
    },
  };
}
