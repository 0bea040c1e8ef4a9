import { expect, test } from 'vitest';
import { authorityInfoAccessOf } from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import type { RevocationSource } from '../../../../shared/pki/revocation/source.ts';
import { judgedCertificates } from '../../../../shared/signing/verification/judged-certificates.ts';
import { authority, holder, root } from '../../pki/path/chain.ts';

// Reflection: each certificate names another place of one victim, and none of them is trusted.
test('the certificates of one file have only so many places asked for their issuers', async () => {
  const stranger = authority('Stranger');
  const asked: string[] = [];
  const nothing = async () => ({ problem: 'Nobody answers.' });
  const source: RevocationSource = {
    ...{ crl: nothing, ocsp: nothing },
    issuers: async ({ addresses }) => {
      asked.push(...addresses);
      return {};
    },
  };
  const { judge } = judgedCertificates({ anchors: [root().certificate], source });
  const ask = async (number: number): Promise<void> => {
    const caIssuers = [`http://victim.test/${number}`];
    const { certificate } = holder('Any', { extensions: [authorityInfoAccessOf({ caIssuers })] }, stranger);
    await judge(certificate, [], Date.now(), { crls: [] });
  };
  for (let number = 0; number < 40; number++) await ask(number);
  expect(asked).toHaveLength(20);
  // A place that is known is not one more.
  await ask(0);
  expect(asked).toHaveLength(21);
});
