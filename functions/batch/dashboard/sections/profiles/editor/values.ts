import type { Profile } from '../../../../profiles/domain/profile.ts';
import { settings } from '../../../../settings.ts';
import type { Form } from '../../../visit.ts';

/** The editor's fields as texts, by the path of the field: `approval.quorum`. A flag is `true`, or empty. */
export type EditorValues = {
  readonly texts: Readonly<Record<string, string>>;
  readonly approvers: readonly PersonTexts[];
  readonly signers: readonly PersonTexts[];
};

export type PersonTexts = Readonly<Record<(typeof PERSON)[number], string>>;

/** The fields of a person. Approvers have no step. */
const PERSON = ['name', 'email', 'cpf', 'step'] as const;

export const FLAGS = [
  'verify',
  'validateCertificate',
  'timestamp',
  'preserveFileExtension',
  'saveAsPem',
  'checkCnab240',
  'checkCnab240PaymentDates',
  'checkCnab240LotSums',
] as const;

const TEXTS = [
  'name',
  'method',
  'format',
  'inputFolder',
  'encryption.mode',
  'encryption.certificate',
  'approval',
  'approval.quorum',
  'approval.expiresAfter',
  'approval.signerSet',
  'externalSigner.folderId',
  'externalSigner.expiresAfterDays',
  'signerFolder.folderId',
  'cloudCertificate.identifier',
  'cloudCertificate.provider',
  'cloudCertificate.certificateAlias',
] as const;

// Never shown again, and not trimmed: a password may end with a space.
const SECRETS = ['encryption.password', 'encryption.salt'] as const;

/** A new profile. The flags are the defaults of the domain. */
export const NEW_PROFILE: EditorValues = {
  texts: {
    method: 'Local',
    'encryption.mode': 'none',
    verify: 'true',
    validateCertificate: 'true',
    checkCnab240PaymentDates: 'true',
    'approval.signerSet': 'Profile',
  },
  approvers: [],
  signers: [],
};

const textOf = (value: number | string | undefined): string => (value === undefined ? '' : String(value));

/** The fields of a profile as it is stored, without its secrets. */
export function valuesOf(profile: Profile): EditorValues {
  const { approval, externalSigner, encryption, cloudCertificate } = profile;
  const people = (list: readonly { name: string; email: string; cpf: string; step?: number }[] = []) =>
    list.map(({ name, email, cpf, step }) => ({ name, email, cpf, step: textOf(step) }));
  return {
    texts: {
      name: profile.name,
      method: profile.method,
      format: profile.format ?? '',
      inputFolder: profile.inputFolder ?? '',
      ...Object.fromEntries(FLAGS.map((flag) => [flag, profile[flag] ? 'true' : ''])),
      'encryption.mode': !encryption ? 'none' : 'certificate' in encryption ? 'certificate' : 'password',
      approval: approval ? 'true' : '',
      'approval.quorum': textOf(approval?.quorum),
      'approval.expiresAfter': approval?.expiresAfterSeconds
        ? formatDuration(approval.expiresAfterSeconds)
        : '',
      'approval.signerSet': approval?.signerSet ?? 'Profile',
      'externalSigner.folderId': externalSigner?.folderId ?? '',
      'externalSigner.expiresAfterDays': textOf(externalSigner?.expiresAfterDays),
      'signerFolder.folderId': profile.signerFolder?.folderId ?? '',
      'cloudCertificate.identifier': cloudCertificate?.identifier ?? '',
      'cloudCertificate.provider': cloudCertificate?.provider ?? '',
      'cloudCertificate.certificateAlias': cloudCertificate?.certificateAlias ?? '',
    },
    approvers: people(approval?.approvers),
    signers: people(externalSigner?.signers),
  };
}

const DAY_SECONDS = 86_400;

/** As settings write durations. @example formatDuration(172_800) // '2.00:00:00' */
function formatDuration(seconds: number): string {
  const clock = new Date((seconds % DAY_SECONDS) * 1000).toISOString().slice(11, 19);
  const days = Math.floor(seconds / DAY_SECONDS);
  return days > 0 ? `${days}.${clock}` : clock;
}

// More than a profile may have. What is beyond is refused by the domain.
const MAX_ROWS = 110;

/** The fields as a form has sent them. Rows that were left empty are left out. */
export function readValues(form: Form): EditorValues {
  const people = (path: string): readonly PersonTexts[] =>
    Array.from({ length: MAX_ROWS }, (_, index) => {
      const entries = PERSON.map((field) => [field, form.text(`${path}.${index}.${field}`).trim()] as const);
      return Object.fromEntries(entries) as PersonTexts;
    }).filter(({ name, email, cpf }) => `${name}${email}${cpf}` !== '');
  return {
    texts: {
      ...Object.fromEntries(TEXTS.map((path) => [path, form.text(path).trim()])),
      ...Object.fromEntries(FLAGS.map((path) => [path, form.has(path) ? 'true' : ''])),
      ...Object.fromEntries(SECRETS.map((path) => [path, form.text(path)])),
    },
    approvers: people('approval.approvers'),
    signers: people('externalSigner.signers'),
  };
}

/** The input folders that a profile can select, with the one that it has. */
export const folderChoices = (current: string): readonly string[] => [
  ...new Set([...settings['Storage:Inputs'].map(({ name }) => name), ...(current === '' ? [] : [current])]),
];
