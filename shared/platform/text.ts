import * as z from 'zod';

// The platform's texts are stored with a job, in its history and in events, and an answer may have megabytes: DynamoDB
// takes no item over 400 KB.
const MAX_TEXT_CHARACTERS = 500;
const MAX_NAME_CHARACTERS = 255;
// "contract.pdf.p7s" keeps both: a name tells the format of the signature.
const NAME_END_CHARACTERS = 20;

/**
 * A text of the platform as it is kept: on one line, without control characters, and cut with an ellipsis.
 * @example cutText('Expired.\r\nRevoked.') // 'Expired. Revoked.'
 */
export const cutText = (text: string): string => cutMiddle(text, MAX_TEXT_CHARACTERS, 0);

/** The name of a document, file or folder as it is kept. A long one is cut before its extension. */
export const cutName = (name: string): string => cutMiddle(name, MAX_NAME_CHARACTERS, NAME_END_CHARACTERS);

function cutMiddle(text: string, maxCharacters: number, endCharacters: number): string {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim();
  if (line.length <= maxCharacters) return line.toWellFormed();
  const begin = line.slice(0, maxCharacters - endCharacters - 1);
  const end = line.slice(line.length - endCharacters);
  // A cut inside a surrogate pair leaves half of it.
  return `${begin.replace(/[\uD800-\uDBFF]$/, '')}…${end.replace(/^[\uDC00-\uDFFF]/, '')}`.toWellFormed();
}

export const Text = z.string().transform(cutText);
export const Name = z.string().transform(cutName);
