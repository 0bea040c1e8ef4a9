import { type Declaration, isPublic } from '../../../shared/http/declaration.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { Request } from '../../requests/http-event.ts';

/** The longest head that Node reads: the request line and all headers. API Gateway takes 10 KB. */
const HEAD_BYTES = 15_000;
const QUERY_BYTES = 14_000;

export type Input = { readonly name: string; readonly request: Request };

/** As much of a repeated text as fits. */
const fill = (part: string, bytes: number): string => part.repeat(Math.floor(bytes / part.length));

/** Different short names, as many as fit with what follows each. */
function names(bytes: number, after: string): string[] {
  const all: string[] = [];
  for (let left = bytes; ; ) {
    const name = all.length.toString(36);
    left -= name.length + after.length;
    if (left < 0) return all;
    all.push(name);
  }
}

/** Queries, headers and paths as large as a host takes them, each of the kind that costs most. */
export function headInputs(): Input[] {
  const many = names(QUERY_BYTES, '=&');
  const headers = (values: Record<string, string>) => ({ headers: values });
  return [
    { name: 'a query of many names', request: { query: Object.fromEntries(many.map((each) => [each, ''])) } },
    { name: 'a query of one name, repeated', request: { query: { status: many } } },
    { name: 'a long value in the query', request: { query: { ReturnUrl: `/${fill('%25', QUERY_BYTES)}` } } },
    { name: 'a query of dots and spaces', request: { query: { lang: `${fill('. ', QUERY_BYTES)}x` } } },
    {
      name: 'many headers',
      request: headers(Object.fromEntries(names(HEAD_BYTES, 'x: 1\r\n').map((each) => [`x${each}`, '1']))),
    },
    {
      name: 'a header in many spellings',
      request: headers(
        Object.fromEntries(
          Array.from({ length: 1_000 }, (_, at) => [
            [...'accept-lang']
              .map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter))
              .join(''),
            'x',
          ]),
        ),
      ),
    },
    { name: 'many cookies', request: headers({ Cookie: names(HEAD_BYTES, '=1; ').join('=1; ') }) },
    { name: 'one cookie, repeated', request: headers({ Cookie: fill('lbs-culture=%25; ', HEAD_BYTES) }) },
    { name: 'many accepted types', request: headers({ Accept: fill('a/b;q=0.0000001,', HEAD_BYTES) }) },
    { name: 'a type of spaces', request: headers({ Accept: `text/html;q=0${fill(' ', HEAD_BYTES)}x` }) },
    { name: 'many languages', request: headers({ 'Accept-Language': fill('a;q=0.1,', HEAD_BYTES) }) },
    { name: 'a long key', request: headers({ 'X-API-Key': `a|${fill('%', HEAD_BYTES)}` }) },
    { name: 'a long token', request: headers({ Authorization: `Bearer ${fill('a.', HEAD_BYTES)}` }) },
    {
      name: 'a media type of parameters',
      request: {
        ...headers({ 'Content-Type': `multipart/form-data;${fill('a=b;', HEAD_BYTES)}` }),
        body: 'x',
      },
    },
    { name: 'a path of marks', request: { params: paramsOf(`a${fill('%CC%81%CC%A3', HEAD_BYTES)}`) } },
    { name: 'a path of dots', request: { params: paramsOf(`${fill('.%20', HEAD_BYTES)}x`) } },
  ];
}

// Every name that a path has a parameter by. An endpoint looks at its own.
const paramsOf = (value: string) =>
  Object.fromEntries(
    ['id', 'key', 'token', 'path', 'code', 'name', 'sessionId', 'documentId', 'state'].map((name) => [
      name,
      value,
    ]),
  );

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BOUNDARY = 'b';
const MULTIPART_TYPE = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

/** Bodies of JSON of this size. */
export const jsonInputs = (bytes: number): Input[] =>
  Object.entries({
    'JSON of many values': `[${fill('0,', bytes - 3)}0]`,
    'JSON of many lists': `{"frames":[${fill('[],', bytes - 20)}0]}`,
    'JSON of many names': `{${names(bytes - 8, '"":0,')
      .map((name) => `"${name}":0`)
      .join(',')}}`,
    'JSON of one name, repeated': `{${fill('"a":0,', bytes - 10)}"a":0}`,
    'JSON that is nested': fill('[', bytes),
    'JSON of one text': JSON.stringify({ email: fill('a.', bytes - 20) }),
    'JSON of spaces': JSON.stringify({ reason: `${fill(' ', bytes - 20)}x` }),
    'JSON of escapes': `{"reason":"${fill('\\ud800', bytes - 20)}"}`,
    'JSON of marks': JSON.stringify({ reason: fill('\u0301\u0323', (bytes - 20) / 2) }),
  }).map(([name, body]) => ({ name, request: { headers: JSON_TYPE, body } }));

/** Urlencoded forms of this size. */
export const formInputs = (bytes: number): Input[] =>
  Object.entries({
    'a form of many names': names(bytes, '=&').join('=&'),
    'a form of one name, repeated': fill('a=&', bytes),
    'a form of as many names as are read': Array.from({ length: 1_000 }, (_, at) => `${at}=`).join('&'),
    'a form of one long value': `email=${fill('%41', bytes - 10)}`,
    'a form of percents': fill('%', bytes),
  }).map(([name, body]) => ({ name, request: { headers: FORM_TYPE, body } }));

/** Multipart forms of this size. */
export const multipartInputs = (bytes: number): Input[] => {
  const part = (name: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  return Object.entries({
    'a form of many parts': fill(part('a', ''), bytes),
    'a part of many headers': `--${BOUNDARY}\r\n${fill('a:b\r\n', bytes - 20)}\r\n`,
    'a part of one long header': `--${BOUNDARY}\r\nContent-Disposition: form-data;${fill(' ;a="', bytes - 60)}\r\n\r\n`,
    'a form that is nearly all boundaries': fill(`\r\n-${BOUNDARY}`, bytes),
    'a file with a name of spaces': `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fill(' ', bytes - 200)}x"\r\n\r\nx\r\n--${BOUNDARY}--`,
  }).map(([name, body]) => ({ name, request: { headers: MULTIPART_TYPE, body } }));
};

export const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
];

/** Whether strangers reach the operation: it asks for no key, or has another credential that it judges itself. */
export const isForStrangers = ({ access = 'key', credentials = [] }: Declaration): boolean =>
  isPublic(access) || typeof access === 'object' || credentials.some((set) => !set.includes('key'));

/** The most bytes that the operation reads of a body of this type. */
export function ceilingOf({ declaration }: Endpoint, mediaType: string): number {
  const { body, access = 'key', maxBodyBytes } = declaration;
  if (!body?.accepts(mediaType)) return 0;
  return maxBodyBytes?.() ?? body.ceilingBytes({ mediaType, isOpen: isPublic(access) });
}

/** The method of the operation, and an id in each place of its path: a body is read after them. */
export const wellFormed = ({ route }: Declaration): Request => ({
  method: route.split(' ')[0] ?? 'GET',
  params: Object.fromEntries([...route.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => [name ?? '', ID])),
});
const ID = '6f1b3f64-2c1f-4a53-9a4e-0d2f5c8a7b10';
