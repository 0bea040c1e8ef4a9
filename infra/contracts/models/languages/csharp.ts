import type { Field } from '../model.ts';
import { capital, isFree, type Language, MADE, namer, oneLine } from './language.ts';

const csharpType = namer(
  { string: 'string', integer: 'long', number: 'double', boolean: 'bool', any: 'object' },
  {
    list: (of) => `System.Collections.Generic.List<${of}>`,
    map: (of) => `System.Collections.Generic.Dictionary<string, ${of}>`,
  },
);
const csharpField = (field: Field): string => {
  const isValue = ['integer', 'number', 'boolean'].includes(field.type.kind);
  // The at sign is for words of the language; it is no part of the name.
  return `        public ${csharpType(field.type)}${isValue && isFree(field) ? '?' : ''} @${field.name} { get; set; }`;
};
export const csharp: Language = {
  path: (service) => `csharp/Sinete/${capital(service)}.cs`,
  render: (service, models) =>
    [
      `// ${MADE}`,
      `namespace Sinete.${capital(service)}`,
      '{',
      ...models.flatMap(({ name, description, fields }) => [
        `    /// <summary>${oneLine(description).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</summary>`,
        `    public class ${name}`,
        '    {',
        ...fields.map(csharpField),
        '    }',
      ]),
      '}',
    ].join('\n'),
};
