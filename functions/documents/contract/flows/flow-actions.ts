import * as z from 'zod';
import { takesNeutral } from '../../../../shared/http/unknown-fields.ts';
import { CERTIFICATE_TYPES } from '../../../../shared/pki/icp-brasil/types.ts';
import { FLOW_ACTION, PARTICIPANT, RULE_USER, SIGNER_REQUEST } from '../examples.ts';
import { Cnpj, line, orNull, Participant, PersonModel } from '../fields.ts';
import { MarkModel, MarkRequest, UpperLeftMarkModel } from '../marks.ts';
import { XadesOptionsModel, XadesOptionsRequest } from './xades-options.ts';

export const ACTION_TYPES = ['Signer', 'Approver', 'SignRule', 'ApproverRule'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** The holder of a certificate: a person (e-CPF) or a company (e-CNPJ). */
export const HOLDER_TYPES = ['Individual', 'Company'] as const;
export type HolderType = (typeof HOLDER_TYPES)[number];

// A document with its flow is one item of the table, which holds 400 KB.
export const MAX_ACTIONS = 100;
export const MAX_PEOPLE_A_RULE = 50;
export const MAX_MARKS = 50;

export const INITIALS_MODES = ['None', 'Optional', 'Required'] as const;

type ParticipantInput = z.output<typeof Participant>;

// Two people of a rule must differ by the name that their id is derived from, and by CPF: a holder signs once.
const hasDuplicates = (people: readonly ParticipantInput[]): boolean =>
  [
    ({ id, identifier, email, emailAddress, name }: ParticipantInput) =>
      id ?? identifier ?? (emailAddress ?? email)?.toLowerCase() ?? name,
    ({ identifier }: ParticipantInput) => identifier,
  ].some((nameOf) => {
    const names = people.map(nameOf).filter((name) => name !== null);
    return new Set(names).size < names.length;
  });

// The action of a stored flow is sent as it was read. An action that has begun says another status, and is refused.
const ignored = () => z.string().nullish().describe('Ignored: a stored flow that is read has it.');
const IGNORED = { id: ignored(), creationDate: ignored(), updateDate: ignored() };
const UNBEGUN = { status: ['Created'] };

const ActionFields = z
  .object({
    type: z.enum(ACTION_TYPES),
    step: z
      .int()
      .min(0)
      .max(1_000)
      .nullish()
      .describe('Actions of one step are open side by side. Left out: 1, and 0 too where no step is given.'),
    user: Participant.nullish(),
    numberRequiredSignatures: z
      .int()
      .min(0)
      .nullish()
      .transform((number) => number || null)
      .describe('Of a rule: how many of its people must act. 0 is the same as none: 1.'),
    ruleName: orNull(line()),
    allowRuleFlowToContinueIfRefused: z
      .boolean()
      .nullish()
      .describe(
        'Of a rule: a refusal ends the flow only once too few people are left. Else the first one ends it.',
      ),
    signRuleUsers: z.array(Participant).max(MAX_PEOPLE_A_RULE).nullish(),
    title: orNull(line()),
    prePositionedMarks: z.array(MarkRequest).max(MAX_MARKS).nullish(),
    marks: z
      .array(MarkRequest)
      .max(MAX_MARKS)
      .nullish()
      .describe('Further marks: an action that is read has those from the upper left corner here.'),
    signatureInitialsMode: orNull(z.enum(INITIALS_MODES)).describe(
      'Other than `None` it needs a mark of the type `SignatureInitials`: nobody chooses a place for theirs.',
    ),
    requiredCertificateTypeToSign: orNull(z.enum(CERTIFICATE_TYPES)).describe(
      'Only a certificate of this type of ICP-Brasil signs.',
    ),
    requireCompanyCertificate: z
      .boolean()
      .nullish()
      .describe('The same as the holder type `Company`, which is the newer way to ask for it.'),
    requiredCertificateHolderTypeToSign: orNull(z.enum(HOLDER_TYPES)).describe(
      'Only a certificate of a company (e-CNPJ), or only one of a person (e-CPF), signs.',
    ),
    requiredCompanyIdentifier: orNull(Cnpj),
    allowElectronicSignature: z
      .boolean()
      .nullish()
      .describe('`true`: it may be signed without a certificate too. The organization needs a seal.'),
    requireSmsAuthenticationToSignElectronically: z
      .boolean()
      .nullish()
      .describe('`true`: who signs electronically types a code that is sent by SMS.'),
    requireAuthenticatorAppToSignElectronically: z
      .boolean()
      .nullish()
      .describe('`true`: who signs electronically types a code of an app, which they set up at the page.'),
    requireLivenessAuthenticationToSignElectronically: z
      .boolean()
      .nullish()
      .describe('`true`: who signs electronically shows their face in a biometric session first.'),
    disableEmailAuthenticationToSignElectronically: z
      .boolean()
      .nullish()
      .describe('`true`: no code by mail is asked for. Only where one by SMS is.'),
    xadesOptions: orNull(XadesOptionsRequest).describe(
      'Of XML: what is signed. Left out: the whole document.',
    ),
    ...IGNORED,
  })
  .superRefine((action, context) => {
    const isRule = action.type.endsWith('Rule');
    const refuse = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((action.prePositionedMarks?.length ?? 0) + (action.marks?.length ?? 0) > MAX_MARKS)
      refuse('marks', `are more than ${MAX_MARKS}, with prePositionedMarks`);
    const people = action.signRuleUsers?.length ?? 0;
    if (!isRule && !action.user) refuse('user', 'is required');
    if (isRule && people === 0) refuse('signRuleUsers', 'is required');
    if (isRule && hasDuplicates(action.signRuleUsers ?? []))
      refuse('signRuleUsers', 'names one person twice: distinguish people by identifier, email or id');
    if (isRule && (action.numberRequiredSignatures ?? 1) > people)
      refuse('numberRequiredSignatures', 'is more than the people of the rule');
    const wantsCompany = action.requireCompanyCertificate || action.requiredCompanyIdentifier !== null;
    if (wantsCompany && action.requiredCertificateHolderTypeToSign === 'Individual')
      refuse('requiredCertificateHolderTypeToSign', 'is a person, and the action asks for a company too');
  });

export const FlowActionRequest = takesNeutral(ActionFields, UNBEGUN)
  .transform(({ marks, id: _, creationDate: _created, updateDate: _updated, ...action }) => ({
    ...action,
    prePositionedMarks: [...(action.prePositionedMarks ?? []), ...(marks ?? [])],
  }))
  .meta({
    description:
      'One action of a flow: a person signs or approves, or a rule asks for some of several people.',
    examples: [
      SIGNER_REQUEST,
      {
        type: 'SignRule',
        step: 1,
        ruleName: 'Directors',
        numberRequiredSignatures: 1,
        signRuleUsers: [
          PARTICIPANT,
          { name: 'Bruno Lima', identifier: '47363361886', emailAddress: 'bruno@sandbox.example' },
        ],
      },
    ],
  });

export const Flow = z
  .array(FlowActionRequest)
  .min(1)
  .max(MAX_ACTIONS)
  .meta({
    description:
      'The actions of a flow. Steps follow one another; actions of one step are open side by side.',
    examples: [[SIGNER_REQUEST]],
  });

const CompletedPart = PersonModel.extend({
  date: z.iso.datetime(),
  certificate: z
    .object({
      subject: z.string(),
      issuer: z.string(),
      sha256: z.string(),
      holderName: z
        .string()
        .describe(
          'Of whom the certificate is, without the number. `name` is that of the person in the flow.',
        ),
    })
    .nullable()
    .describe('What signed; null for an approval and for an electronic signature.'),
});

export const RuleUserModel = PersonModel.extend({
  signatureDate: z.iso.datetime().nullable().describe('When this person did their part.'),
  isElectronic: z.boolean(),
  hasRefused: z.boolean(),
  refusalDate: z.iso.datetime().nullable(),
  refusalReason: z.string().nullable(),
}).meta({ description: 'A person of a rule, and what they did.', examples: [RULE_USER] });

/** How an action may be signed electronically. No action asks for the factors that are not offered. */
const ELECTRONIC_FIELDS = {
  allowElectronicSignature: z.boolean(),
  requireSmsAuthenticationToSignElectronically: z.boolean(),
  disableEmailAuthenticationToSignElectronically: z.boolean(),
  requireWhatsappAuthenticationToSignElectronically: z.literal(false),
  requireAuthenticatorAppToSignElectronically: z.boolean(),
  requireSelfieAuthenticationToSignElectronically: z.literal(false),
  requireDatavalidAuthenticationToSignElectronically: z.literal(false),
  requirePixAuthenticationToSignElectronically: z.literal(false),
  requireLivenessAuthenticationToSignElectronically: z.boolean(),
  requireIdScanAuthenticationToSignElectronically: z.literal(false),
  isElectronic: z.boolean().describe('Whether somebody has signed it electronically.'),
};

export const FlowActionModel = z
  .object({
    id: z.string(),
    type: z.enum(ACTION_TYPES),
    status: z.enum(['Created', 'Pending', 'Completed', 'Refused']),
    step: z.int(),
    title: z.string().nullable(),
    user: PersonModel.nullable().describe('Null for a rule.'),
    ruleName: z.string().nullable(),
    numberRequiredSignatures: z.int().describe('Of the people of a rule; 1 of a single person.'),
    allowRuleFlowToContinueIfRefused: z.boolean(),
    signRuleUsers: z.array(RuleUserModel),
    requiredCompanyIdentifier: z.string().nullable(),
    requiredCertificateTypeToSign: z.string().nullable(),
    requireCompanyCertificate: z.boolean(),
    requiredCertificateHolderTypeToSign: z.enum(HOLDER_TYPES).nullable(),
    prePositionedMarks: z.array(MarkModel).describe('Those that were placed from the lower left corner.'),
    marks: z.array(UpperLeftMarkModel).describe('Those that were placed from the upper left corner.'),
    signatureInitialsMode: z.enum(INITIALS_MODES),
    xadesOptions: XadesOptionsModel.nullable(),
    ...ELECTRONIC_FIELDS,
    creationDate: z.iso.datetime().describe('When this version of the document began.'),
    updateDate: z.iso.datetime(),
    pendingDate: z.iso.datetime().nullable().describe('Since when it waits for somebody.'),
    completedBy: z.array(CompletedPart),
    refusalReason: z.string().nullable(),
  })
  .meta({
    description: 'One action of the flow of a document, with who has completed it.',
    examples: [FLOW_ACTION],
  });
