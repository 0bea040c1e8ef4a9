import { describe, expect, test } from 'vitest';
import { changeDegree } from '../../../../functions/credentials/degrees/domain/change-degree.ts';
import { handler as change } from '../../../../functions/credentials/degrees/endpoints/change-degree.ts';
import type { Item } from '../../../../functions/credentials/items/domain/item.ts';
import { call } from '../../../requests/http-event.ts';
import { aDegree, signed, stored } from '../items/own-items.ts';
import { keyOf, ownTenant } from '../items/own-tenant.ts';

// TMotivoAnulacao of the schema, to the letter: the last one lacks its tilde there.
const REASONS = [
  'Erro de Fato',
  'Erro de Direito',
  'Decisão Judicial',
  'Reemissão para Complemento de Informação',
  'Reemissão para Inclusão de Habilitação',
  'Reemissão para Anotaçao de Registro',
];

const tenant = await ownTenant();
const headers = await keyOf(tenant);
const aConcluded = async () => signed(await aDegree(tenant));
const post = ({ id }: Item, event: string, json: unknown) =>
  call(change, { headers, params: { id, event }, json });

describe('an annulment', () => {
  test.each(REASONS)('has the reason %s', async (cancellationReason) => {
    const degree = await aConcluded();
    const answer = await post(degree, 'canceled', { reason: 'Fraud', cancellationReason });
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { status: 'Canceled', reason: 'Fraud', cancellationReason },
    ]);
    expect(await stored(degree)).toMatchObject({ state: 'Canceled', reason: 'Fraud', cancellationReason });
  });

  test.each([
    ['the last text with its tilde', 'Reemissão para Anotação de Registro'],
    ['a text in another case', 'erro de fato'],
    ['a text with a blank after it', 'Erro de Fato '],
    ['a text in decomposed letters', 'Decisão Judicial'.normalize('NFD')],
    ['an empty text', ''],
    ['null', null],
    ['two texts', ['Erro de Fato', 'Erro de Direito']],
  ])('is refused with %s', async (_, cancellationReason) => {
    const degree = await aConcluded();
    const answer = await post(degree, 'canceled', { reason: 'Fraud', cancellationReason });
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'InvalidFields' }]);
    expect((await stored(degree)).state).toBe('Concluded');
  });

  test('needs one, and no other change takes one', async () => {
    const degree = await aConcluded();
    const codeOf = async (event: string, json: object) => {
      const answer = await post(degree, event, json);
      return [answer.status, (answer.json() as { code: string }).code];
    };
    expect(await codeOf('canceled', { reason: 'Fraud' })).toEqual([422, 'CancellationReasonMismatch']);
    const both = { reason: 'Fraud', cancellationReason: REASONS[0] };
    expect(await codeOf('canceledTemporarily', both)).toEqual([422, 'CancellationReasonMismatch']);
    expect(await codeOf('restored', both)).toEqual([422, 'CancellationReasonMismatch']);
    expect(await codeOf('canceled', { reason: '  ', cancellationReason: REASONS[0] })).toEqual([
      422,
      'InvalidFields',
    ]);
    expect(await codeOf('concluded', both)).toEqual([404, 'EndpointNotFound']);
  });
});

describe('a degree', () => {
  const refused = async (degree: Item, event: 'canceled' | 'canceledTemporarily' | 'restored') => {
    const cancellationReason = event === 'canceled' ? 'Erro de Fato' : undefined;
    const change = { event, reason: 'Appeal', cancellationReason };
    await expect(changeDegree(tenant.caller, degree.id, change, Date.now())).rejects.toMatchObject({
      code: 'InvalidStatus',
      details: { status: degree.state, event },
    });
  };
  const moved = (degree: Item, event: 'canceledTemporarily' | 'restored') =>
    changeDegree(tenant.caller, degree.id, { event, reason: event }, Date.now());

  test('is suspended only when it is concluded, and restored only when it is suspended', async () => {
    const created = await aDegree(tenant);
    await refused(created, 'canceledTemporarily');
    await refused(created, 'restored');
    const concluded = await signed(created);
    await refused(concluded, 'restored');
    const suspended = await moved(concluded, 'canceledTemporarily');
    expect(suspended).toMatchObject({ state: 'CanceledTemporarily', reason: 'canceledTemporarily' });
    await refused(suspended, 'canceledTemporarily');
    const restored = await moved(suspended, 'restored');
    // The state is Concluded again; what was told of last is the restoration.
    expect(restored).toMatchObject({
      state: 'Concluded',
      reason: 'restored',
      lastEvents: { Degree: 'restored' },
    });
    expect((await moved(restored, 'canceledTemporarily')).state).toBe('CanceledTemporarily');
  });

  test('that is annulled stays so, whatever it was before', async () => {
    const annul = (degree: Item) =>
      changeDegree(
        tenant.caller,
        degree.id,
        { event: 'canceled', reason: 'Fraud', cancellationReason: 'Erro de Fato' },
        Date.now(),
      );
    const created = await aDegree(tenant);
    const concluded = await aConcluded();
    const suspended = await moved(await aConcluded(), 'canceledTemporarily');
    for (const degree of [created, concluded, suspended]) {
      const annulled = await annul(degree);
      expect(annulled.state).toBe('Canceled');
      for (const event of ['canceled', 'canceledTemporarily', 'restored'] as const)
        await refused(annulled, event);
    }
  });
});
