import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { readApp, setUpApp } from '../../../../functions/documents/domain/electronic/set-up-app.ts';
import { beginLiveness } from '../../../../functions/documents/domain/electronic/show-face.ts';
import { requestCodesByLink } from '../../../../functions/documents/domain/electronic/signers.ts';
import { electronic, type electronicStage, type Link } from './stage.ts';

type Stage = Awaited<ReturnType<typeof electronicStage>>;

/** Asks somebody whom nobody knows for every factor: an app is set up once in an organization. */
export const askingForAll = () =>
  electronic(
    {
      requireSmsAuthenticationToSignElectronically: true,
      requireAuthenticatorAppToSignElectronically: true,
      requireLivenessAuthenticationToSignElectronically: true,
    },
    { identifier: null, email: `ana-${randomUUID()}@sandbox.example` },
  );

/** Everything that comes before the signature: the app, the face, the codes. It may be done again. */
export async function beginWithAll(stage: Stage, link: Link): Promise<void> {
  stage.pki.outcome.success = true;
  await setUpApp(link, Date.now());
  await beginLiveness(link, Date.now);
  await requestCodesByLink(link, Date.now);
}

/** The codes that were asked for last. */
export async function codesOfAll(stage: Stage, link: Link) {
  const app = await readApp(link, Date.now());
  if (app.state !== 'pending') throw new Error(`The app is ${app.state}.`);
  return {
    emailCode: await stage.mailedCode(),
    smsCode: stage.sms.code(),
    otpCode: new TOTP({ secret: Secret.fromBase32(app.secret) }).generate(),
  };
}
