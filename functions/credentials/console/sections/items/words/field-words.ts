import type { Language } from '../../../../../../shared/ui/languages.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';

/** The labels of fields, in forms and in facts alike, by the names of the contract. */
const fieldWords = translations({
  studentName: { en: 'Student', 'pt-BR': 'Estudante' },
  studentSocialName: { en: 'Social name', 'pt-BR': 'Nome social' },
  studentCpf: { en: 'CPF', 'pt-BR': 'CPF' },
  course: { en: 'Course', 'pt-BR': 'Curso' },
  code: { en: 'Code of the curriculum', 'pt-BR': 'Código do currículo' },
  version: { en: 'Layout version', 'pt-BR': 'Versão do leiaute' },
  instituteId: { en: 'Institute', 'pt-BR': 'Instituição' },
  registeringInstituteId: { en: 'Registered by', 'pt-BR': 'Registrado por' },
  registrarInstituteId: { en: 'Registrar', 'pt-BR': 'Registradora' },
  academicTranscript: { en: 'Transcript with it', 'pt-BR': 'Histórico junto' },
  type: { en: 'Type', 'pt-BR': 'Tipo' },
  issuingIes: { en: 'Issuing institution', 'pt-BR': 'Instituição emissora' },
  issuingIesCode: { en: 'e-MEC code of the issuer', 'pt-BR': 'Código e-MEC da emissora' },
  registeringIes: { en: 'Registering institution', 'pt-BR': 'Instituição registradora' },
  iesName: { en: 'Institution', 'pt-BR': 'Instituição' },
  iesCode: { en: 'e-MEC code', 'pt-BR': 'Código e-MEC' },
  description: { en: 'Note', 'pt-BR': 'Observação' },
  startDate: { en: 'First day', 'pt-BR': 'Primeiro dia' },
  endDate: { en: 'Last day', 'pt-BR': 'Último dia' },
  verificationCode: { en: 'Verification code', 'pt-BR': 'Código de validação' },
  validationCode: { en: 'Validation code', 'pt-BR': 'Código de validação' },
  registrationStatus: { en: 'At the registrar', 'pt-BR': 'Na registradora' },
  sequenceNumber: { en: 'Number', 'pt-BR': 'Número' },
  annulledDegreesNumber: { en: 'Annulled degrees', 'pt-BR': 'Diplomas anulados' },
  inspectedDegreesNumber: { en: 'Degrees', 'pt-BR': 'Diplomas' },
  identifier: { en: 'File', 'pt-BR': 'Arquivo' },
  attempts: { en: 'Attempts', 'pt-BR': 'Tentativas' },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  cancellationReason: { en: 'Reason of the annulment', 'pt-BR': 'Motivo da anulação' },
  diploma: { en: 'Diploma', 'pt-BR': 'Diploma' },
  'academic-documentation': { en: 'Academic documentation', 'pt-BR': 'Documentação acadêmica' },
  transcript: { en: 'Transcript', 'pt-BR': 'Histórico escolar' },
  curriculum: { en: 'Curriculum', 'pt-BR': 'Currículo' },
  'cancellation-list': { en: 'List of annulled degrees', 'pt-BR': 'Lista de diplomas anulados' },
  'inspection-file': { en: 'Inspection file', 'pt-BR': 'Arquivo de fiscalização' },
});

/** The label of a field or the name of a file. One that is not known shows as it is. */
export const labelOf = (name: string, language: Language): string =>
  (fieldWords(language) as Readonly<Record<string, string>>)[name] ?? name;

const valueWords = translations({
  Partial: { en: 'Partial', 'pt-BR': 'Parcial' },
  Final: { en: 'Final', 'pt-BR': 'Final' },
  SecondCopyBornPhysical: { en: 'Second copy of a paper one', 'pt-BR': 'Segunda via nato-físico' },
  Issuer: { en: 'What was issued', 'pt-BR': 'O que foi emitido' },
  Registrar: { en: 'What was registered', 'pt-BR': 'O que foi registrado' },
});

/** The name of a value of a list of choices. The reasons of an annulment stay as the schema has them. */
export const valueText = (value: string, language: Language): string =>
  (valueWords(language) as Readonly<Record<string, string>>)[value] ?? value;

/** The texts of fields. */
export const formWords = translations({
  optional: { en: 'If you have one.', 'pt-BR': 'Se houver.' },
  none: { en: 'None', 'pt-BR': 'Nenhum' },
  same: { en: 'The same institute', 'pt-BR': 'A mesma instituição' },
  choose: { en: 'Choose…', 'pt-BR': 'Escolha…' },
  required: { en: 'Fill this in.', 'pt-BR': 'Preencha este campo.' },
  invalid: { en: 'This is not right. Check it.', 'pt-BR': 'Isto não está certo. Confira.' },
  invalidCpf: {
    en: 'This is not a CPF: check its 11 digits.',
    'pt-BR': 'Isto não é um CPF: confira os 11 dígitos.',
  },
  wrong: { en: 'Some fields are not right.', 'pt-BR': 'Alguns campos não estão certos.' },
});

/** What is wrong with the value of a field. Undefined for what is no field of a form. */
export function fieldProblem(name: string, isMissing: boolean, language: Language): string | undefined {
  if (!Object.hasOwn(fieldWords(language), name)) return undefined;
  const words = formWords(language);
  if (isMissing) return words.required;
  return name === 'studentCpf' ? words.invalidCpf : words.invalid;
}
