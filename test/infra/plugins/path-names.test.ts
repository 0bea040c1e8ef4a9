import { expect, test } from 'vitest';
import type { Framework } from '../../../infra/plugins/framework.ts';
import { separatePathsByCase } from '../../../infra/plugins/sinete.ts';

const naming = { normalizePathPart: (part: string) => part.toLowerCase().replace(/\W/g, '') };
separatePathsByCase({ getProvider: () => ({ naming }) } as unknown as Framework);

test('parts of a path that differ by case alone have names of their own', () => {
  const parts = ['api', 'Api', 'API', 'signedbytes', 'SignedBytes', 'casedapi'];
  expect(new Set(parts.map((part) => naming.normalizePathPart(part))).size).toBe(parts.length);
});

test('a parameter is named as the framework names it, whatever its case', () => {
  expect(naming.normalizePathPart('{sessionId}')).toBe('sessionid');
});
