import type { Field } from '../model.ts';
import { type Language, MADE, namer, oneLine } from './language.ts';

// A TypedDict is the type of a dict that json gives and takes: nothing is converted. Its functional form takes every name.
const pythonType = namer(
  { string: 'str', integer: 'int', number: 'float', boolean: 'bool', any: 'Any' },
  { list: (of) => `List[${of}]`, map: (of) => `Dict[str, ${of}]` },
  (name) => `"${name}"`,
);
const pythonField = (field: Field): string => {
  const type = field.nullable ? `Optional[${pythonType(field.type)}]` : pythonType(field.type);
  return `    "${field.name}": ${field.optional ? `NotRequired[${type}]` : type},`;
};
export const python: Language = {
  path: (service) => `python/sinete/${service}.py`,
  render: (_, models) =>
    [
      `"""${MADE}"""`,
      'from typing import Any, Dict, List, NotRequired, Optional, TypedDict',
      ...models.flatMap(({ name, description, fields }) => [
        '',
        ...(description === '' ? [] : [`# ${oneLine(description)}`]),
        `${name} = TypedDict("${name}", {`,
        ...fields.map(pythonField),
        '})',
      ]),
    ].join('\n'),
};
