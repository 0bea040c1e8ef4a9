import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  addFile,
  type DraftFields,
  raiseFile,
  removeFile,
  saveDraft,
  saveMarks,
} from '../../../../../functions/documents/domain/drafts/change-draft.ts';
import {
  type Author,
  createDraft,
  type DraftPerson,
  drafts,
  findDraft,
  listDrafts,
} from '../../../../../functions/documents/domain/drafts/draft.ts';
import {
  actionsOf,
  problemsOf,
  requestOf,
} from '../../../../../functions/documents/domain/drafts/draft-request.ts';
import { recentPeople } from '../../../../../functions/documents/domain/drafts/recent-people.ts';
import { sendDraft } from '../../../../../functions/documents/domain/drafts/send-draft.ts';
import { readDocument } from '../../../../../functions/documents/domain/links/read-document.ts';
import { listDocuments } from '../../../../../functions/documents/domain/lists/list-documents.ts';
import { callerOf } from '../../../../../functions/documents/domain/members/sessions.ts';
import { requireActiveOrganization } from '../../../../../functions/documents/domain/places/organization.ts';
import { receiveUpload } from '../../../../../functions/documents/domain/uploads/receive-upload.ts';
import { ownOrganization } from '../../own-organization.ts';

const NOW = Date.now();
const DAY_MS = 86_400_000;

/** A member of an organization of their own, or of this one. */
async function authorOf(organizationId?: string, name = 'Eva'): Promise<Author> {
  const organization = await requireActiveOrganization(organizationId ?? (await ownOrganization()).orgId);
  const id = randomBytes(8).toString('hex');
  const member = {
    id,
    name,
    email: `${id}@example.com`,
    cpf: null,
    role: 'Member',
    invitedAtMs: NOW,
  } as const;
  return { member, organization, caller: callerOf(organization, member) };
}

const uploadOf = async (author: Author, content: Uint8Array = randomBytes(50), name = 'contract.pdf') =>
  (
    await receiveUpload(
      { organizationId: author.organization.id, name, contentType: 'application/pdf', content },
      NOW,
    )
  ).id;

const person = (more: Partial<DraftPerson> = {}): DraftPerson => ({
  ...{ key: 'a', name: 'Ana', identifier: '52998224725', email: 'ana@example.com', role: 'sign', group: '' },
  step: 1,
  ...more,
});
const fields = (more: Partial<DraftFields> = {}): DraftFields => ({
  ...{ people: [person()], required: {}, titles: {}, folderId: '', message: '', deadline: '' },
  ...more,
});
const mark = (uploadId: string, action = 0) => ({
  ...{ action, type: 'SignatureVisualRepresentation' as const, uploadId, pageNumber: 1 },
  ...{ topLeftX: 10, topLeftY: 20, width: 180, height: 60 },
});

let eva: Author;
beforeEach(async () => {
  eva = await authorOf();
});

/** A draft with a file, saved with these fields. */
async function aDraft(more: Partial<DraftFields> = {}, author = eva) {
  const { id } = await createDraft(author, NOW);
  const fileId = await uploadOf(author);
  const { version } = await addFile(author, id, fileId, NOW);
  const saved = await saveDraft(author, { id, version }, fields(more), NOW);
  return { id, fileId, version: saved.version };
}

describe('a draft', () => {
  test('has a file that is dropped twice once, in the order that its owner gives', async () => {
    const { id } = await createDraft(eva, NOW);
    const content = randomBytes(50);
    const [first, same, other] = [
      await uploadOf(eva, content),
      await uploadOf(eva, content),
      await uploadOf(eva),
    ];
    await Promise.all([first, same, first].map((uploadId) => addFile(eva, id, uploadId, NOW)));
    await addFile(eva, id, other, NOW);
    const kept = (await findDraft(eva, id, NOW)).files[0]?.id ?? '';
    const idsOf = async () => (await findDraft(eva, id, NOW)).files.map((file) => file.id);
    expect(await idsOf()).toEqual([kept, other]);
    await raiseFile(eva, id, other, NOW);
    expect(await idsOf()).toEqual([other, kept]);
    await removeFile(eva, id, other, NOW);
    expect(await idsOf()).toEqual([kept]);
  });

  // one   |--reads--------------saves--|
  // other     |--reads----------------------saves: refused, told who--|
  test('that two people change tells the later one, and loses nothing of the earlier', async () => {
    const { id, version } = await aDraft();
    const rui = await authorOf(eva.organization.id, 'Rui');
    await saveDraft(rui, { id, version }, fields({ message: "Rui's" }), NOW);
    const late = saveDraft(eva, { id, version }, fields({ message: "Eva's" }), NOW);
    await expect(late).rejects.toMatchObject({ code: 'DraftChanged', details: { changedBy: 'Rui' } });
    const both = await Promise.allSettled(
      ['one', 'two'].map(async (message) => {
        const current = await findDraft(eva, id, NOW);
        return saveDraft(eva, current, fields({ message }), NOW);
      }),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(sendDraft(eva, { id, version }, NOW)).rejects.toMatchObject({ code: 'DraftChanged' });
  });

  test('is of its organization alone, is listed to its owner, and ends after a month', async () => {
    const { id } = await aDraft();
    const [stranger, colleague] = [await authorOf(), await authorOf(eva.organization.id)];
    await expect(findDraft(stranger, id, NOW)).rejects.toMatchObject({ code: 'DraftNotFound' });
    expect((await findDraft(colleague, id, NOW)).id).toBe(id);
    expect((await listDrafts(eva, NOW)).map((draft) => draft.id)).toEqual([id]);
    expect(await listDrafts(colleague, NOW)).toEqual([]);
    const late = NOW + 31 * DAY_MS;
    expect(await listDrafts(eva, late)).toEqual([]);
    await expect(findDraft(eva, id, late)).rejects.toMatchObject({ code: 'DraftNotFound' });
  });

  test('becomes documents with its people, rule, marks and details', async () => {
    const people = [
      person(),
      person({ key: 'b', name: 'Bia', identifier: '11.222.333/0001-81', email: '' }),
      person({
        key: 'c',
        name: 'Caio',
        identifier: '',
        email: 'c@example.com',
        role: 'approve',
        step: 2,
        group: 'Board',
      }),
      person({
        key: 'd',
        name: 'Davi',
        identifier: '',
        email: 'd@example.com',
        role: 'approve',
        step: 2,
        group: 'Board',
      }),
      person({ key: 'e', name: 'Eva', identifier: '', email: 'e@example.com', role: 'observe' }),
    ];
    const more = { people, required: { Board: 1 }, message: 'Read clause 4.', deadline: '2098-01-31' };
    const { id, fileId, version } = await aDraft(more);
    const marked = await saveMarks(eva, { id, version }, [mark(fileId), mark(fileId, 2)], NOW);
    const [documentId = ''] = await sendDraft(eva, { id, version: marked.version }, NOW);
    const document = await readDocument(eva.caller, documentId, NOW);
    expect(document).toMatchObject({
      name: 'contract',
      createdBy: { name: 'Eva', type: 'User' },
      description: 'Read clause 4.',
      expirationDateWithoutTime: '2098-01-31',
      observers: [{ name: 'Eva', emailAddress: 'e@example.com' }],
      flowActions: [
        { type: 'Signer', user: { identifier: '52998224725' }, marks: [{ topLeftX: 10, topLeftY: 20 }] },
        {
          type: 'Signer',
          user: { identifier: null },
          requiredCompanyIdentifier: '11222333000181',
          marks: [],
        },
        {
          type: 'ApproverRule',
          ruleName: 'Board',
          numberRequiredSignatures: 1,
          step: 2,
          marks: [{ width: 180 }],
        },
      ],
    });
    expect((await recentPeople(eva.caller)).map(({ email }) => email)).toEqual([
      ...['ana@example.com', 'c@example.com', 'd@example.com'],
    ]);
  });

  test('asks for an electronic signature, which is refused without a seal and leaves the draft as it is', async () => {
    const draft = await aDraft({ people: [person({ role: 'electronic' }), person({ key: 'b', step: 2 })] });
    expect(requestOf(await findDraft(eva, draft.id, NOW)).flowActions).toMatchObject([
      { type: 'Signer', allowElectronicSignature: true },
      { type: 'Signer', allowElectronicSignature: false },
    ]);
    await expect(sendDraft(eva, draft, NOW)).rejects.toMatchObject({ code: 'SealRequired' });
    expect((await findDraft(eva, draft.id, NOW)).version).toBe(draft.version);
  });

  test('is sent once, by two clicks at once and by one after the answer was lost', async () => {
    const draft = await aDraft();
    const both = await Promise.all([sendDraft(eva, draft, NOW), sendDraft(eva, draft, NOW)]);
    expect(both[0]).toEqual(both[1]);
    // The draft is gone, and whoever sends it again is led to the same document.
    expect(await drafts.get({ organizationId: eva.organization.id, id: draft.id })).toBeUndefined();
    expect(await sendDraft(eva, draft, NOW)).toEqual(both[0]);
    const request = { limit: 10, offset: 0, order: 'Desc' } as const;
    expect((await listDocuments(eva.caller, request, NOW)).totalCount).toBe(1);
  });

  test.each([
    ['noPeople', { people: [person({ role: 'observe' })] }],
    ['noName', { people: [person({ name: '' })] }],
    ['wrongIdentifier', { people: [person({ identifier: '123' })] }],
    ['wrongEmail', { people: [person({ email: 'ana@' })] }],
    ['noEmail', { people: [person(), person({ key: 'b', role: 'observe', email: '' })] }],
    ['noAddressForCode', { people: [person({ role: 'electronic', email: '' })] }],
    ['companyElectronic', { people: [person({ role: 'electronic', identifier: '11222333000181' })] }],
    ['companyInGroup', { people: [person({ group: 'x', identifier: '11222333000181' })] }],
    ['companyApproves', { people: [person({ role: 'approve', identifier: '11222333000181' })] }],
    ['tooManyRequired', { people: [person({ group: 'x' })], required: { x: 2 } }],
    ['deadlinePassed', { deadline: '2020-01-01' }],
    ['other', { people: [person({ name: 'x'.repeat(201) })] }],
    ['other', { people: [person({ name: 'Ana \u202eecila' })] }],
  ] as const)('is not sent while something is missing: %s', async (code, more) => {
    const draft = await aDraft(more);
    expect(problemsOf(await findDraft(eva, draft.id, NOW), NOW).map((problem) => problem.code)).toEqual([
      code,
    ]);
    await expect(sendDraft(eva, draft, NOW)).rejects.toMatchObject({ code: 'DraftNotReady' });
  });

  test('keeps the marks of a person when others come before them, and drops those of nobody', async () => {
    const { id, fileId, version } = await aDraft();
    const marked = await saveMarks(eva, { id, version }, [mark(fileId)], NOW);
    const people = [person({ key: 'z', name: 'Zoe', identifier: '' }), person()];
    const saved = await saveDraft(eva, { id, version: marked.version }, fields({ people }), NOW);
    const at = actionsOf(saved).findIndex(({ key }) => key === saved.marks[0]?.actionKey);
    expect(at).toBe(1);
  });
});

test('a list of what waits for somebody has the documents whose turn it is, by address or CPF', async () => {
  const send = async (people: readonly DraftPerson[]) =>
    (await sendDraft(eva, await aDraft({ people }), NOW))[0];
  const other = person({ key: 'b', name: 'Rui', identifier: '47363361886', email: 'rui@example.com' });
  const [now, both] = [await send([person()]), await send([person(), other])];
  const later = await send([other, person({ step: 2 })]);
  const list = async (waitingFor: string) => {
    const page = await listDocuments(eva.caller, { limit: 10, offset: 0, order: 'Asc', waitingFor }, NOW);
    return page.items.map(({ id }) => id).toSorted();
  };
  expect(await list('ANA@example.com')).toEqual([now, both].toSorted());
  expect(await list('529.982.247-25')).toEqual([now, both].toSorted());
  expect(await list('rui@example.com,47363361886')).toEqual([both, later].toSorted());
  expect(await list('na@example.com')).toEqual([]);
});
