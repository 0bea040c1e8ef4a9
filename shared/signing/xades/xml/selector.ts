// XML names without characters that would need quoting. A prefix is ignored.
const NAME = '(?:[\\p{L}_][\\p{L}\\p{N}_.-]*:)?[\\p{L}_][\\p{L}\\p{N}_.-]*';
export const POSITION = '\\[[1-9][0-9]{0,5}\\]';
const SELECTOR = new RegExp(
  `^(?:#.+|${NAME}|//?${NAME}(?:${POSITION})?(?:/${NAME}(?:${POSITION})?){0,63})$`,
  'su',
);

/** Whether a text is a selector; it needs no document. @example isSelector('/lote/nota[2]') // true */
export const isSelector = (text: string): boolean => SELECTOR.test(text);

export const NO_SELECTOR =
  'names no element. Give an identifier (#n1), a name (nota) or a path of names (/lote/nota[2]).';

/** The identifier in a selector of the form `#id`. @example idOf('#NFe3525') // 'NFe3525' */
export const idOf = (selector: string): string | undefined =>
  selector.startsWith('#') ? selector.slice(1) : undefined;
