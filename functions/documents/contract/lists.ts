import * as z from 'zod';

/**
 * The same shape with query names in any case. An empty value counts as absent.
 * Clients of such platforms write both `Status` and `status`, and send every parameter they know.
 */
export function caseInsensitive<S extends z.ZodObject>(shape: S): S {
  const names = new Map(Object.keys(shape.shape).map((name) => [name.toLowerCase(), name]));
  const normalize = (query: unknown): unknown => {
    const found = new Map<string, unknown>();
    for (const [name, value] of Object.entries(query as object)) {
      if (value === '') continue;
      const known = names.get(name.toLowerCase()) ?? name;
      // Two different values become a list, which no shape accepts: neither may be dropped silently.
      const isAnother = found.has(known) && found.get(known) !== value;
      found.set(known, isAnother ? [found.get(known), value] : value);
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
      .nullable()
      .describe('Null when it is not known: a search stops once the page is full.'),
    nextCursor: z
      .string()
      .nullable()
      .describe(
        'Null at the end. A search looks at 1,000 at a time, so a page may be short and still have one.',
      ),
  });
