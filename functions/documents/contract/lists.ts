import * as z from 'zod';

// The text of a search: whoever sends `null` there looks for this word.
const SEARCHED_TEXT = 'q';

/**
 * The same shape with query names in any case. A value that is empty or `null` counts as absent.
 * Clients of such platforms write both `Status` and `status`, and send every parameter they know.
 */
export function caseInsensitive<S extends z.ZodObject>(shape: S): S {
  const names = new Map(Object.keys(shape.shape).map((name) => [name.toLowerCase(), name]));
  const normalize = (query: unknown): unknown => {
    const found = new Map<string, unknown>();
    for (const [given, value] of Object.entries(query as object)) {
      const name = names.get(given.toLowerCase()) ?? given;
      if (value === '' || (value === 'null' && name !== SEARCHED_TEXT)) continue;
      // Two different values become a list, which no shape accepts: neither may be dropped silently.
      const isAnother = found.has(name) && found.get(name) !== value;
      found.set(name, isAnother ? [found.get(name), value] : value);
    }
    return Object.fromEntries(found);
  };
  // Types, OpenAPI and the check for unknown options read the original shape.
  return Object.assign(z.preprocess(normalize, shape), { shape: shape.shape }) as unknown as S;
}

const MAX_PAGE = 100;
const MAX_PAGES = 10_000_000;

/** The paging parameters of every list. */
export const Paging = z.object({
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('Only those that hold this text, whatever its case and accents.'),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(20),
  offset: z.coerce.number().int().min(0).max(MAX_PAGES).default(0).describe('The page, from 0.'),
  order: z.enum(['Asc', 'Desc']).default('Desc').describe('By when they were made; Desc is newest first.'),
  cursor: z
    .string()
    .max(400)
    .optional()
    .describe(
      'The `nextCursor` of the page before, in place of `offset`: it keeps its place while others come and go.',
    ),
});

/** The response of every list. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({
    items: z.array(item),
    totalCount: z
      .int()
      .describe(
        'Of a search, the matches among those that were looked at: all where `nextCursor` is null, else at least so many.',
      ),
    nextCursor: z
      .string()
      .nullable()
      .describe(
        'Null at the end. A search looks at 5,000 at most for a page, so a page may be short and still have one.',
      ),
  });
