import { describe, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { click, takePicture } from '../../chromium.ts';
import { ANA } from '../action-page/files.ts';
import { DESKTOP, PHONE, PIN, type Stage } from './stage.ts';

const RETURN = 'http://localhost:9999/return';

type Session = {
  readonly sessionId: string;
  readonly redirectUrl: string;
  readonly token: string;
  readonly documents: readonly { readonly documentId: string }[];
};

/** The signer of a signature session, with a certificate that is not a file. */
export function sessions(stage: () => Stage): void {
  const api = (path: string) => `${stage().url}/pki/api/signature-sessions${path}`;
  const headers = { 'X-API-Key': SANDBOX_KEY, 'Content-Type': 'application/json' };

  async function aSession(cpf: string): Promise<Session> {
    const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
    const documents = [
      { name: 'contrato.pdf', content: base64(await plainPdf('table')) },
      { name: 'anexo.txt', contentType: 'text/plain', content: base64('anexo') },
    ];
    const certificateRequirements = [{ type: 'Cpf', argument: cpf }];
    const body = JSON.stringify({ returnUrl: RETURN, certificateRequirements, documents });
    return (await (await fetch(api(''), { method: 'POST', headers, body })).json()) as Session;
  }

  async function visit(session: Session, options: Parameters<Stage['visit']>[1]) {
    const visitor = await stage().visit(session.redirectUrl, options);
    await visitor.context.route(`${RETURN}**`, (route) => route.fulfill({ body: 'back' }));
    await visitor.page.locator('#documents li').nth(1).waitFor();
    return visitor;
  }

  async function expectSigned({ sessionId, documents }: Session): Promise<void> {
    const [pdf] = documents;
    const file = await fetch(api(`/${sessionId}/documents/${pdf?.documentId}/content?type=Signed`), {
      headers,
    });
    await stage().expectValidFile(Buffer.from(await file.arrayBuffer()));
  }

  describe('in a signature session', () => {
    test('a cloud certificate signs every document with one permission, and the token stays behind the #', async () => {
      const session = await aSession(ANA);
      const visitor = await visit(session, PHONE);
      const { page } = visitor;
      await visitor.choose('cloud');
      await takePicture(page, 'ways-session-phone-dark');
      await visitor.submit();
      await click(page.getByRole('button', { name: 'Permitir', exact: true }));
      await visitor.says('cloud', 'Você assina como SANDBOX HOLDER 52998224725.');
      await visitor.submit();
      await page.waitForURL(`${RETURN}**`);
      await expectSigned(session);
      const sent = visitor.requests.map((each) => each.url().replace(/#.*/, ''));
      expect(sent.filter((address) => address.includes(session.token))).toEqual([]);
      await visitor.close();
    });

    test('a token signs every document with one PIN, typed once at the agent that lists them', async () => {
      const agent = await stage().workstation();
      const session = await aSession(agent.cpf);
      const visitor = await visit(session, DESKTOP);
      const { page } = visitor;
      await visitor.choose('token');
      await visitor.says('token', 'You sign as PESSOA DE TESTE.');
      await visitor.submit();
      const codes = page.locator('.codes code');
      await codes.nth(1).waitFor();
      const [first = '', ...others] = await codes.allTextContents();
      const shown = await agent.shows(new RegExp(first));
      for (const code of others) expect(shown).toContain(code);
      for (const name of ['contrato.pdf', 'anexo.txt']) expect(shown).toContain(name);
      await takePicture(page, 'ways-session-token-desktop');
      await agent.confirm(PIN);
      await page.waitForURL(`${RETURN}**`);
      await expectSigned(session);
      await visitor.close();
    });

    test('a certificate of another CPF than the session names does not sign', async () => {
      const session = await aSession('47363361886');
      const visitor = await visit(session, DESKTOP);
      await visitor.page.setInputFiles('#certificate', stage().platform.holderFile(ANA));
      await visitor.page.fill('#password', '1234');
      await visitor.submit();
      expect(await visitor.problem()).toContain('The certificate is of another person');
      await visitor.close();
    });
  });
}
