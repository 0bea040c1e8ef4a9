import { expect } from 'vitest';
import { handler as create } from '../../../../functions/documents/endpoints/documents/create-documents.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call } from '../../../requests/http-event.ts';
import { ownOrganization } from '../own-organization.ts';
import { anUpload } from '../sample-documents.ts';

type Sent = Pick<Parameters<typeof call>[1] & object, 'json' | 'params' | 'query' | 'method'>;

/** An organization, and an application of it as a typed client calls it. */
export async function typedClient() {
  const { orgId } = await ownOrganization({ owner: { id: 'an-owner', name: 'Owner' } });
  const name = `app-of-${orgId}`; // No GUID, as the names of applications are.
  await createApplication('documents', { name, permissions: [], registered: { organizations: [orgId] } });
  const headers = { 'X-API-Key': (await issueKey('documents', name)).text };

  async function ask(handler: Endpoint, sent: Sent = {}): Promise<unknown> {
    const answer = await call(handler, { headers, ...sent });
    expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 204]), expect.any(String)]);
    return answer.text === '' ? undefined : answer.json();
  }

  async function made(...flowActions: object[]): Promise<string> {
    const request = { files: [{ id: await anUpload(orgId) }], flowActions };
    const [{ documentId }] = (await ask(create, { json: request })) as [{ documentId: string }];
    return documentId;
  }
  return { orgId, headers, ask, made };
}
