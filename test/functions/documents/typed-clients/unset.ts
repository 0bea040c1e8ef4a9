// An application leaves most fields of a model alone. What is sent for them is the affair of its language.

/** The kinds of fields. A `model` has fields that must be there, so that no language sends an empty one. */
const KINDS = ['text', 'list', 'flag', 'number', 'map', 'model', 'mode'] as const;
type Kind = (typeof KINDS)[number];

const NULLS = { text: null, list: null, flag: null, number: null, map: null, model: null, mode: null };

/** What is sent for a field of each kind; undefined is not sent. */
const VALUES = {
  absent: undefined,
  null: NULLS,
  empty: { ...NULLS, text: '', list: [], flag: false, number: 0, map: {}, mode: 'None' },
  'at their defaults': { ...NULLS, list: [], flag: false, number: 0, mode: 'None' },
} as const;

export type Way = keyof typeof VALUES;
export const WAYS = Object.keys(VALUES) as Way[];

/** Fields that nobody set, as they are sent in this way. */
export type Unset = (fields: Partial<Record<Kind, readonly string[]>>) => Readonly<Record<string, unknown>>;

export const unsetIn =
  (way: Way): Unset =>
  (fields) =>
    Object.fromEntries(
      KINDS.flatMap((kind) => (fields[kind] ?? []).map((name) => [name, VALUES[way]?.[kind]])),
    );

/** The optional fields of an action of a flow. */
export const ACTION_FIELDS = {
  text: [
    ...['title', 'ruleName', 'requiredCompanyIdentifier', 'requiredCertificateTypeToSign'],
    'requiredCertificateHolderTypeToSign',
  ],
  list: ['signRuleUsers', 'prePositionedMarks'],
  flag: [
    ...['allowElectronicSignature', 'allowRuleFlowToContinueIfRefused', 'requireCompanyCertificate'],
    ...['requireSmsAuthenticationToSignElectronically', 'requirePixAuthenticationToSignElectronically'],
    'disableEmailAuthenticationToSignElectronically',
  ],
  number: ['step', 'numberRequiredSignatures'],
  model: ['xadesOptions'],
  mode: ['signatureInitialsMode'],
} as const;

/** Those of a creation. */
export const CREATION_FIELDS = {
  text: ['folderId', 'newFolderName', 'description', 'expirationDate', 'envelopeName'],
  list: ['attachments', 'observers', 'tags', 'notifiedEmails', 'xmlNamespaces'],
  flag: ['isEnvelope', 'disablePendingActionNotifications', 'forceCadesSignature'],
  map: ['additionalInfo'],
} as const;
