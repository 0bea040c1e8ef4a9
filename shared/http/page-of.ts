import * as z from 'zod';

/** The answer of every list. @example export const JobList = pageOf(Job).meta({ description, examples }) */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), page: z.int(), pageSize: z.int(), totalCount: z.int() });
