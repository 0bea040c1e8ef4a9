import type { Field, Model } from '../model.ts';
import { capital, isFree, type Language, namer, oneLine } from './language.ts';

// By this line tools know what nobody edits.
const MADE = '// Code generated from the OpenAPI document of Sinete. DO NOT EDIT.';
// Earlier ones do not know omitzero, and would send a list that was left out as null.
const NEEDS = '//go:build go1.24';

const goType = namer(
  { string: 'string', integer: 'int64', number: 'float64', boolean: 'bool', any: 'any' },
  { list: (of) => `[]${of}`, map: (of) => `map[string]${of}` },
);

/** Lists, maps and any are nil without a pointer. */
const isNilable = ({ type: { kind } }: Field): boolean => kind === 'list' || kind === 'map' || kind === 'any';

/** Nil is left out where it may be, and null otherwise; an empty list is sent as one. */
const goField = (field: Field): readonly [name: string, type: string, tag: string] => [
  capital(field.name),
  `${isFree(field) && !isNilable(field) ? '*' : ''}${goType(field.type)}`,
  `\`json:"${field.name}${field.optional ? ',omitzero' : ''}"\``,
];

/** In columns, as gofmt has them. */
function goStruct({ name, fields }: Model): string[] {
  if (fields.length === 0) return [`type ${name} struct{}`];
  const rows = fields.map(goField);
  const widthOf = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
  const [names, types] = [widthOf(0), widthOf(1)];
  return [
    `type ${name} struct {`,
    ...rows.map(([field, type, tag]) => `\t${field.padEnd(names)} ${type.padEnd(types)} ${tag}`),
    '}',
  ];
}

export const go: Language = {
  path: (service) => `go/sinete/${service}/models.go`,
  render: (service, models) =>
    [
      MADE,
      '',
      NEEDS,
      '',
      `package ${service}`,
      ...models.flatMap((model) => [
        '',
        ...(model.description === '' ? [] : [`// ${oneLine(model.description)}`]),
        ...goStruct(model),
      ]),
    ].join('\n'),
};
