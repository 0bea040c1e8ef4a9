import { expect, test } from 'vitest';
import { wholeTable } from '../../../stores/whole-table.ts';
import { clientOf } from './a-client.ts';

test('a provider keeps of codes and tokens no more than a hash', async () => {
  const alpha = clientOf('alpha');
  const code = await alpha.code();
  const { access_token: token } = (await alpha.exchange({ code })).json() as { access_token: string };
  const text = await wholeTable('sandbox');
  expect(text).toContain('PROVIDER-TOKEN#');
  expect(text).toContain('PROVIDER-CODE#');
  expect(text).not.toContain(token);
  expect(text).not.toContain(code);
});
