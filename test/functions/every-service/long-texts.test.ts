import { expect, test } from 'vitest';
import * as z from 'zod';
import { functionFiles } from '../../../infra/build/function-files.ts';
import { handlerOf } from '../../../infra/invoke.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { startCpuClock } from '../../measure/cpu-time.ts';

const LETTERS = 131_072;
// What reads one of these in linear time takes some milliseconds, and what takes their square ten seconds.
const MAX_CPU_MS = 1_000;
const TEXTS = [' ', '/', '1.', '=', 'a@', '\n'].map((part) => `a${part.repeat(LETTERS / part.length)}b`);

type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
};

/** A value of the shape in which each text is this one, some levels deep. */
function filledWith(schema: Schema, text: string, levels = 4): unknown {
  const [first] = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []).filter(({ type }) => type !== 'null');
  if (first) return filledWith(first, text, levels);
  if (levels === 0) return undefined;
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [name, filledWith(inner, text, levels - 1)]),
    );
  if (schema.items) return [filledWith(schema.items, text, levels - 1)];
  return schema.type === 'string' ? text : undefined;
}

// Algorithmic complexity attack: a length is compared after what else is done to a text, such as cutting off blanks.
test('a long text in any field of a request is refused in linear time', async () => {
  let read = 0;
  for (const { path, service, name } of functionFiles()) {
    if (!path.includes('/endpoints/')) continue;
    const { declaration } = (await handlerOf(`${service}/${name}`)) as unknown as Endpoint;
    const shape = declaration.body?.content['application/json'];
    if (!shape || !('safeParse' in shape)) continue;
    const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema;
    for (const text of TEXTS) {
      const value = filledWith(schema, text);
      const cpuMs = startCpuClock();
      shape.safeParse(value);
      expect(cpuMs(), `${service}/${name}, ${JSON.stringify(text.slice(0, 3))}`).toBeLessThan(MAX_CPU_MS);
      read += 1;
    }
  }
  expect(read).toBeGreaterThan(500);
});
