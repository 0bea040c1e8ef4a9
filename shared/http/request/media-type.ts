import * as z from 'zod';

const TOKEN = "[\\w!#$&'*.^`|~%+-]+";
const QUOTED = '"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*"';
const PATTERN = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))*$`);

/** A media type in one line, as a header carries it. @example z.object({ contentType: MediaType }) */
export const MediaType = z
  .string()
  .trim()
  .max(100)
  .regex(PATTERN, 'is not a media type')
  .meta({ description: 'A media type in one line, as a header carries it.', examples: ['application/pdf'] });
