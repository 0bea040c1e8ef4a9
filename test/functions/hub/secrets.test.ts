import { describe, expect, test } from 'vitest';
import { wholeTable } from '../../stores/whole-table.ts';
import { captureLog } from '../session/captured-log.ts';
import { setting } from '../session/own-settings.ts';
import {
  aSession,
  authUrlAt,
  CPF,
  certificateV2Of,
  comeBack,
  customStateOf,
  decideAtProvider,
  returnedQuery,
  signHash,
  toSign,
} from './calls.ts';
import { useHubStage } from './stage.ts';

const stage = useHubStage();

const CUSTOM_STATE = 'between the application and its user';

describe('what the hub knows of its users', () => {
  test('is in no line of the log and nowhere in the table in clear', async () => {
    setting('Log:Level', 'DEBUG');
    const received: string[] = [];
    stage.providers.interfere = () => ({
      instead: (given) => {
        received.push(given);
        return given;
      },
    });
    const log = captureLog();
    const authUrl = await authUrlAt('alpha', { identifier: CPF, customState: CUSTOM_STATE });
    const pending = await wholeTable('hub');
    const brought = await decideAtProvider(authUrl);
    const { session = '' } = returnedQuery(await comeBack(brought));
    const { content } = (await certificateV2Of(session)).json() as { content: string };
    await customStateOf(session);
    const asked = toSign(session);
    const signature = (await signHash(asked)).json() as string;
    await signHash(asked);
    await comeBack(brought);
    await comeBack(await decideAtProvider(await authUrlAt('alpha'), 'deny'));
    const failing = await decideAtProvider(await authUrlAt('alpha'));
    stage.providers.interfere = () => ({ status: 500, body: `{"error":"${CUSTOM_STATE}"}` });
    await comeBack(failing);
    log.restore();

    const tokens = received.flatMap((text) => /"access_token":"([^"]+)"/.exec(text)?.[1] ?? []);
    const verifiers = stage.providers.bodies.flatMap(
      (text) => /code_verifier=([\w-]+)/.exec(text)?.[1] ?? [],
    );
    expect([tokens.length, verifiers.length, signature.length]).toEqual([1, 2, 344]);
    const secrets = [session, brought.state, brought.code, ...tokens, ...verifiers];
    const told = [CUSTOM_STATE, content.slice(200, 300), CPF, 'sinete-local-secret'];
    const table = pending + (await wholeTable('hub'));
    expect(log.text()).toContain('POST /api/sessions/sign-hash');
    expect(log.text()).toContain('"operation":"signature"');
    expect(table).toContain('sealedToken');
    for (const secret of [...secrets, ...told, asked.hash, signature]) {
      const text = String(secret);
      const forms = [
        text,
        Buffer.from(text).toString('base64').slice(0, -4),
        Buffer.from(text).toString('hex'),
      ];
      for (const form of forms)
        expect([form, log.text().includes(form), table.includes(form)]).toEqual([form, false, false]);
    }
  });

  test('does not open with what the store has of another session', async () => {
    const { sessions, openContent: openIn } = await import('../../../functions/hub/domain/session.ts');
    const { hashSecret: hashOfSecret } = await import('../../../shared/access/secrets.ts');
    stage.providers.interfere = () => undefined;
    const [mine, theirs] = [await aSession(), await aSession()];
    const kept = await sessions.get(hashOfSecret(theirs));
    expect(openIn(theirs, 'token', kept?.sealedToken)).toBeDefined();
    expect(openIn(mine, 'token', kept?.sealedToken)).toBeUndefined();
    expect(openIn(theirs, 'certificates', kept?.sealedToken)).toBeUndefined();
  });
});
