// What a message may hold, and the digests that SQS gives of it.
import { createHash } from 'node:crypto';
import { StoreError } from '../errors.ts';
import { invalid, onlyKnown, type Request, requireText } from './request.ts';

export type Attribute = { readonly DataType: string; readonly StringValue: string };
export type Attributes = Readonly<Record<string, Attribute>>;
export type Content = { readonly body: string; readonly attributes: Attributes | undefined };

const MAX_ATTRIBUTES = 10;
const ATTRIBUTE_NAME = /^(?!aws\.|amazon\.)(?!\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i;
const DATA_TYPE = /^(String|Number)(\..+)?$/;
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;
// SQS takes the characters of XML 1.0.
const REFUSED = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** The checked content of a message to be sent. */
export function contentOf(request: Request, maxBytes: number): Content {
  const body = requireText(request, 'MessageBody');
  const attributes = request.MessageAttributes as Attributes | undefined;
  const pairs = Object.entries(attributes ?? {});
  if (pairs.length > MAX_ATTRIBUTES)
    throw invalid(
      `Number of message attributes [${pairs.length}] exceeds the allowed maximum [${MAX_ATTRIBUTES}].`,
    );
  for (const [name, value] of pairs) checkAttribute(name, value);
  const texts = [body, ...pairs.flatMap(([, { StringValue }]) => StringValue)];
  if (texts.some((text) => REFUSED.test(text)))
    throw new StoreError(
      'InvalidMessageContents',
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF.',
    );
  if (bytesOf(request) > maxBytes)
    throw invalid(
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxBytes} bytes.`,
    );
  return { body, attributes: pairs.length > 0 ? attributes : undefined };
}

/** The size that SQS counts: the body, and the attributes with their names and types. */
export const bytesOf = ({ MessageBody = '', MessageAttributes = {} }: Request): number =>
  Object.entries(MessageAttributes as Attributes).reduce(
    (sum, [name, { DataType, StringValue }]) => sum + Buffer.byteLength(`${name}${DataType}${StringValue}`),
    Buffer.byteLength(String(MessageBody)),
  );

function checkAttribute(name: string, value: Attribute): void {
  if (!ATTRIBUTE_NAME.test(name)) throw invalid(`The message attribute name '${name}' is invalid.`);
  onlyKnown(value, ['DataType', 'StringValue']);
  const { DataType, StringValue } = value;
  if (!DATA_TYPE.test(DataType))
    throw invalid(`The type of message (user) attribute '${name}' is invalid, or not implemented here.`);
  if (typeof StringValue !== 'string' || StringValue === '')
    throw invalid(`Message (user) attribute '${name}' must contain a non-empty value of type 'String'.`);
  if (DataType.startsWith('Number') && !NUMBER.test(StringValue))
    throw invalid(`Can't cast the value of message (user) attribute '${name}' to a number.`);
}

/** The attributes of a message that a receive asks for: `All`, names, or beginnings of names with `.*`. */
export function pickAttributes(attributes: Attributes, wanted: readonly string[]): Attributes | undefined {
  const isWanted = (name: string): boolean =>
    wanted.some((each) =>
      each.endsWith('.*') ? name.startsWith(each.slice(0, -2)) : each === 'All' || each === name,
    );
  const picked = Object.entries(attributes).filter(([name]) => isWanted(name));
  return picked.length > 0 ? Object.fromEntries(picked) : undefined;
}

export const md5OfBody = (body: string): string => createHash('md5').update(body).digest('hex');

// Each name, type and value after its length; the 1 says that the value is text.
export function md5OfAttributes(attributes: Attributes): string {
  const hash = createHash('md5');
  const add = (text: string): void => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(text));
    hash.update(length).update(text);
  };
  for (const name of Object.keys(attributes).toSorted()) {
    const { DataType = '', StringValue = '' } = attributes[name] ?? {};
    add(name);
    add(DataType);
    hash.update(Buffer.of(1));
    add(StringValue);
  }
  return hash.digest('hex');
}
