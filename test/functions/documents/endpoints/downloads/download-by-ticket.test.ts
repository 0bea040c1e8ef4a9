import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { handler as getAttachment } from '../../../../../functions/documents/endpoints/downloads/get-attachment-content.ts';
import { handler as getTicket } from '../../../../../functions/documents/endpoints/downloads/get-content-ticket.ts';
import { handler as download } from '../../../../../functions/documents/endpoints/downloads/get-download.ts';
import { files } from '../../../../../shared/files/files.ts';
import { call } from '../../../../requests/http-event.ts';
import { wholeTable } from '../../../../stores/whole-table.ts';
import { ownOrganization } from '../../own-organization.ts';
import { current, pendingDocument, signer } from '../signing/pending-document.ts';

const { orgId, key } = await ownOrganization();
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const given = (bytes: Uint8Array, more = {}) =>
  pendingDocument({ organizationId: orgId, bytes, flow: [signer('52998224725')], more });

async function linkTo(id: string, type = 'Original'): Promise<string> {
  const { status, json, text } = await call(getTicket, {
    params: { id },
    query: { type },
    headers: { 'X-API-Key': key },
  });
  if (status !== 200) throw new Error(text);
  return (json() as { location: string }).location;
}

const ticketOf = (location: string): string => location.slice(location.lastIndexOf('/') + 1);
const follow = (location: string) => call(download, { params: { ticket: ticketOf(location) } });

describe('GET /api/documents/{id}/ticket', () => {
  test('answers a path below the address of the service that opens the content without a key, more than once', async () => {
    const bytes = randomBytes(20_000);
    const { id } = await given(bytes);
    const location = await linkTo(id);
    expect(location).toMatch(/^\/api\/downloads\/[\w.-]+$/);
    for (let n = 0; n < 2; n++) {
      const answer = await follow(location);
      expect(answer.status).toBe(200);
      expect(answer.bytes.equals(bytes)).toBe(true);
      expect(answer.headers['content-disposition']).toBe('attachment; filename="contrato.pdf"');
    }
  });

  test('opens what is drawn too', async () => {
    const { id } = await given(Buffer.from('texto'));
    const answer = await follow(await linkTo(id, 'SignaturesManifest'));
    expect(answer.text.slice(0, 5)).toBe('%PDF-');
  });

  test('makes no link to a content that the document does not have', async () => {
    const { id } = await given(Buffer.from('x'));
    await expect(linkTo(id, 'Signatures')).rejects.toThrow('ContentNotAvailable');
  });

  test('makes no link to a document that the key may not see', async () => {
    const { id } = await given(Buffer.from('x'));
    const other = await ownOrganization();
    const answer = await call(getTicket, { params: { id }, headers: { 'X-API-Key': other.key } });
    expect(answer.status).toBe(404);
  });

  test('keeps nothing of a ticket by which it could be used', async () => {
    const { id } = await given(Buffer.from('x'));
    const ticket = ticketOf(await linkTo(id));
    const all = await wholeTable('documents');
    expect(all).toContain(`DOCUMENT#${id}`);
    expect(all).not.toContain(ticket.slice(id.length + 1));
  });
});

describe('GET /api/downloads/{ticket}', () => {
  const refused = { code: 'InvalidTicket' };

  test('refuses a ticket that has expired', async () => {
    const { id } = await given(Buffer.from('x'));
    vi.useFakeTimers({ toFake: ['Date'] });
    const location = await linkTo(id);
    vi.setSystemTime(Date.now() + 299_000);
    expect((await follow(location)).status).toBe(200);
    vi.setSystemTime(Date.now() + 2_000);
    const answer = await follow(location);
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject(refused);
  });

  test('refuses a ticket that nobody was given, in whatever form', async () => {
    const { id } = await given(Buffer.from('x'));
    const real = ticketOf(await linkTo(id));
    const other = await given(Buffer.from('y'));
    const secret = real.slice(id.length + 1);
    for (const ticket of [
      `${id}.${'A'.repeat(43)}`,
      `${other.id}.${secret}`,
      `${real}x`,
      secret,
      id,
      '.',
      `${randomUUID()}.${secret}`,
    ]) {
      const answer = await call(download, { params: { ticket } });
      expect(answer.status).toBe(422);
      expect(answer.json()).toMatchObject(refused);
    }
  });

  test('refuses what the document no longer has, and a document that is gone', async () => {
    const document = await given(Buffer.from('x'));
    const location = await linkTo(document.id, 'SignaturesManifest');
    const canceled = await documentItems.change(await current(document), { state: 'Canceled' });
    expect((await follow(location)).json()).toMatchObject({ code: 'ContentNotAvailable' });
    await documentItems.delete(canceled);
    expect((await follow(location)).json()).toMatchObject(refused);
  });

  test('sends the caller of a deployment straight to the store for a kept file, and answers what is drawn itself', async () => {
    const bytes = randomBytes(5_000);
    const { id } = await given(bytes);
    const [kept, drawn] = [await linkTo(id), await linkTo(id, 'SignaturesManifest')];
    // The stage names the table and the bucket too, which here are the local ones.
    vi.doMock('../../../../../shared/settings/names.ts', async (original) => ({
      ...(await original<typeof import('../../../../../shared/settings/names.ts')>()),
      isLocal: () => false,
    }));
    vi.stubEnv('Certificates__TrustAnchors', 'trust/roots.pem');
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.resetModules();
    const { handler } = await import(
      '../../../../../functions/documents/endpoints/downloads/get-download.ts'
    );
    const answer = await call(handler, { params: { ticket: ticketOf(kept) } });
    expect(answer.status).toBe(302);
    const link = new URL(answer.headers.location ?? '');
    const stored = await fetch(link);
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
    expect(link.searchParams.get('response-content-disposition')).toBe('attachment; filename="contrato.pdf"');
    expect((await call(handler, { params: { ticket: ticketOf(drawn) } })).status).toBe(200);
    vi.doUnmock('../../../../../shared/settings/names.ts');
  });
});

describe('GET /api/documents/{id}/attachments/{attachmentId}/content', () => {
  const ask = (id: string, attachmentId: string, by = key) =>
    call(getAttachment, { params: { id, attachmentId }, headers: { 'X-API-Key': by } });

  async function withAttachment(state: 'Pending' | 'Canceled' = 'Pending') {
    const bytes = randomBytes(9_000);
    const attachment = {
      id: randomUUID(),
      key: `uploads/${randomUUID()}`,
      displayName: 'Anexo',
      name: 'anexo.png',
      contentType: 'image/png',
      size: bytes.length,
      md5: '',
    };
    await files('documents').put(attachment.key, bytes, { contentType: 'image/png' });
    return { bytes, attachment, ...(await given(Buffer.from('x'), { state, attachments: [attachment] })) };
  }

  test('answers the attachment under its name and type, whatever the status of the document', async () => {
    for (const state of ['Pending', 'Canceled'] as const) {
      const { id, attachment, bytes } = await withAttachment(state);
      const answer = await ask(id, attachment.id);
      expect(answer.status).toBe(200);
      expect(answer.bytes.equals(bytes)).toBe(true);
      expect(answer.headers).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="anexo.png"',
      });
    }
  });

  test('answers 404 for one that the document does not have, another document’s included', async () => {
    const [one, other] = [await withAttachment(), await withAttachment()];
    const answer = await ask(one.id, other.attachment.id);
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      code: 'AttachmentNotFound',
      resourceName: 'Attachment',
      resourceId: other.attachment.id,
    });
    await files('documents').remove(one.attachment.key);
    expect((await ask(one.id, one.attachment.id)).json()).toMatchObject({ code: 'AttachmentNotFound' });
  });
});
