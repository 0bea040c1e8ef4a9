import type { Field } from '../model.ts';
import { capital, type Language, MADE, namer, oneLine } from './language.ts';

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
export const java: Language = {
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
