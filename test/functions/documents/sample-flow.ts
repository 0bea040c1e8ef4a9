import type { Completion, FlowAction, Mark, Person } from '../../../functions/documents/domain/flow/flow.ts';

/** When the samples were signed: 02:03:11 in Brasília. */
export const SIGNED_AT_MS = Date.parse('2026-11-15T05:03:11Z');

const ISSUER = 'CN=AC SINETE\\, SANDBOX v5,OU=Raiz Brasileira v10,O=ICP-Brasil,C=BR';

export const person = (name: string, identifier: string | null = '52998224725'): Person => ({
  id: name,
  name,
  identifier,
  emailAddress: null,
  phone: null,
});

/** A completed signature; without a certificate, an approval. */
export const done = (by: Person, isSignature = true): Completion => ({
  by,
  atMs: SIGNED_AT_MS,
  certificate: isSignature ? { subject: `CN=${by.name}`, issuer: ISSUER, sha256: 'ab'.repeat(32) } : null,
});

/** A pending action, with these changes. */
export const action = (people: readonly Person[], more: Partial<FlowAction> = {}): FlowAction => ({
  id: people.map(({ id }) => id).join('+'),
  type: 'Signer',
  step: 1,
  state: 'Pending',
  title: null,
  ruleName: null,
  people,
  required: 1,
  requiredCompanyIdentifier: null,
  requiredCertificateType: null,
  marks: [],
  completions: [],
  refusal: null,
  pendingSinceMs: SIGNED_AT_MS,
  ...more,
});

/** An action that one person completed. */
export const signedBy = (name: string, more: Partial<FlowAction> = {}): FlowAction =>
  action([person(name)], { state: 'Completed', completions: [done(person(name))], ...more });

export const approvedBy = (name: string, more: Partial<FlowAction> = {}): FlowAction =>
  action([person(name)], {
    type: 'Approver',
    state: 'Completed',
    completions: [done(person(name), false)],
    ...more,
  });

export const markOn = (page: number, more: Partial<Mark> = {}): Mark => ({
  page,
  x: 60,
  y: 40,
  width: 200,
  height: 60,
  ...more,
});
