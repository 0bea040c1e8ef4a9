import type { Field } from '../model.ts';
import { capital, isFree, type Language, MADE, namer, oneLine } from './language.ts';

const phpType = namer(
  { string: 'string', integer: 'int', number: 'float', boolean: 'bool', any: 'mixed' },
  { list: () => 'array', map: () => 'array' },
);
// Names in the comments, for editors and phpstan.
const phpComment = namer(
  { string: 'string', integer: 'int', number: 'float', boolean: 'bool', any: 'mixed' },
  { list: (of) => `list<${of}>`, map: (of) => `array<string, ${of}>` },
);
const phpField = (field: Field): string => {
  const type = field.type.kind === 'any' || !isFree(field) ? phpType(field.type) : `?${phpType(field.type)}`;
  return `        public ${type} $${field.name}${isFree(field) ? ' = null' : ''},`;
};
export const php: Language = {
  path: (service) => `php/Sinete/${capital(service)}.php`,
  render: (service, models) =>
    [
      '<?php',
      `// ${MADE}`,
      'declare(strict_types=1);',
      `namespace Sinete\\${capital(service)};`,
      ...models.flatMap(({ name, description, fields }) => {
        // PHP wants what may be left out behind the rest.
        const ordered = [...fields.filter((field) => !isFree(field)), ...fields.filter(isFree)];
        return [
          '',
          '/**',
          ` * ${oneLine(description)}`,
          ...ordered.map(
            (field) => ` * @property ${phpComment(field.type)}${isFree(field) ? '|null' : ''} $${field.name}`,
          ),
          ' */',
          `final class ${name}`,
          '{',
          '    public function __construct(',
          ...ordered.map(phpField),
          '    ) {}',
          '}',
        ];
      }),
    ].join('\n'),
};
