import type { Field, Model, Type } from './model.ts';

/** A language that models are written in: the file of a service, and its text. */
type Language = {
  readonly path: (service: string) => string;
  readonly render: (service: string, models: readonly Model[]) => string;
};

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /');
const isFree = ({ optional, nullable }: Field): boolean => optional || nullable;
const MADE = 'Made of the OpenAPI document of Sinete. Do not edit.';

type Names = Readonly<Record<'string' | 'integer' | 'number' | 'boolean' | 'any', string>>;
type Containers = { readonly list: (of: string) => string; readonly map: (of: string) => string };

/** How a language says a type. */
const namer =
  (plain: Names, { list, map }: Containers, model = (name: string) => name) =>
  (type: Type): string => {
    const say = namer(plain, { list, map }, model);
    if (type.kind === 'list') return list(say(type.of));
    if (type.kind === 'map') return map(say(type.of));
    return type.kind === 'model' ? model(type.name) : plain[type.kind];
  };

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
const python: Language = {
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
const php: Language = {
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

const JAVA_WORDS = new Set(['default']);
const javaType = namer(
  { string: 'String', integer: 'Long', number: 'Double', boolean: 'Boolean', any: 'Object' },
  { list: (of) => `java.util.List<${of}>`, map: (of) => `java.util.Map<String, ${of}>` },
);
// A word of the language cannot be a name: Jackson is told the name in JSON.
const javaField = ({ name, type }: Field): string =>
  JAVA_WORDS.has(name)
    ? `@com.fasterxml.jackson.annotation.JsonProperty("${name}") ${javaType(type)} ${name}_`
    : `${javaType(type)} ${name}`;
const java: Language = {
  path: (service) => `java/sinete/${capital(service)}Models.java`,
  render: (service, models) =>
    [
      `// ${MADE}`,
      'package sinete;',
      '',
      `public final class ${capital(service)}Models {`,
      ...models.flatMap(({ name, description, fields }) => [
        ...(description === '' ? [] : [`    /** ${oneLine(description)} */`]),
        `    public record ${name}(${fields.map(javaField).join(', ')}) {}`,
        '',
      ]),
      '}',
    ].join('\n'),
};

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
const csharp: Language = {
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

export const LANGUAGES: Readonly<Record<'csharp' | 'java' | 'php' | 'python', Language>> = {
  csharp,
  java,
  php,
  python,
};
