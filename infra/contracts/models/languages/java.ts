import type { Field, Model } from '../model.ts';
import { capital, type Language, MADE, namer, oneLine } from './language.ts';

const JAVA_WORDS = new Set(['default']);
/** A record with more fields than this has a builder: most of them are left out, and places say nothing. */
const MAX_PLACES = 4;

const javaType = namer(
  { string: 'String', integer: 'Long', number: 'Double', boolean: 'Boolean', any: 'Object' },
  { list: (of) => `java.util.List<${of}>`, map: (of) => `java.util.Map<String, ${of}>` },
);
const javaName = ({ name }: Field): string => (JAVA_WORDS.has(name) ? `${name}_` : name);
const declared = (field: Field): string => `${javaType(field.type)} ${javaName(field)}`;
// A word of the language cannot be a name: Jackson is told the name in JSON.
const javaField = (field: Field): string =>
  JAVA_WORDS.has(field.name)
    ? `@com.fasterxml.jackson.annotation.JsonProperty("${field.name}") ${declared(field)}`
    : declared(field);

const builderOf = ({ name, fields }: Model): string[] => [
  '        public static Builder builder() { return new Builder(); }',
  '',
  '        public static final class Builder {',
  ...fields.flatMap((field) => [
    `            private ${declared(field)};`,
    `            public Builder ${javaName(field)}(${javaType(field.type)} value) { this.${javaName(field)} = value; return this; }`,
  ]),
  `            public ${name} build() { return new ${name}(${fields.map(javaName).join(', ')}); }`,
  '        }',
  '    ',
];

export const java: Language = {
  path: (service) => `java/sinete/${capital(service)}Models.java`,
  render: (service, models) =>
    [
      `// ${MADE}`,
      'package sinete;',
      '',
      `public final class ${capital(service)}Models {`,
      ...models.flatMap((model) => {
        const { name, description, fields } = model;
        const builder = fields.length > MAX_PLACES ? `\n${builderOf(model).join('\n')}` : '';
        return [
          ...(description === '' ? [] : [`    /** ${oneLine(description)} */`]),
          `    public record ${name}(${fields.map(javaField).join(', ')}) {${builder}}`,
          '',
        ];
      }),
      '}',
    ].join('\n'),
};
