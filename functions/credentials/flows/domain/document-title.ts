import type {
  CancellationListData,
  CurriculumData,
  DegreeData,
  InspectionFileData,
  TranscriptData,
} from '../../items/domain/data.ts';
import type { Item, ItemFile } from '../../items/domain/item.ts';

type Student = Pick<DegreeData, 'studentName' | 'studentSocialName' | 'course'>;

/** Who has a social name is called by it. */
const ofStudent = (what: string, data: object): string => {
  const { studentName, studentSocialName, course } = data as Student;
  return `${what} de ${studentSocialName ?? studentName}, ${course}`;
};

const TRANSCRIPTS: Readonly<Record<TranscriptData['type'], string>> = {
  Partial: 'Histórico escolar parcial',
  Final: 'Histórico escolar',
  SecondCopyBornPhysical: 'Segunda via do histórico escolar',
};

const INSPECTIONS: Readonly<Record<InspectionFileData['type'], string>> = {
  Issuer: 'emissora',
  Registrar: 'registradora',
};

const TITLES: Readonly<Record<string, (data: object) => string>> = {
  diploma: (data) => ofStudent('Diploma', data),
  'academic-documentation': (data) => ofStudent('Documentação acadêmica', data),
  transcript: (data) => ofStudent(TRANSCRIPTS[(data as TranscriptData).type], data),
  curriculum: (data) => {
    const { code, course } = data as CurriculumData;
    return `Currículo ${code}, ${course}`;
  },
  'cancellation-list': (data) => {
    const { sequenceNumber, iesName } = data as CancellationListData;
    return `Lista de diplomas anulados nº ${sequenceNumber}, ${iesName}`;
  },
  'inspection-file': (data) => {
    const { type, startDate, endDate } = data as InspectionFileData;
    return `Arquivo de fiscalização da ${INSPECTIONS[type]}, ${dayOf(startDate)} a ${dayOf(endDate)}`;
  },
};

/** @example dayOf('2026-03-02') // '02/03/2026' */
const dayOf = (date: string): string => date.slice(0, 10).split('-').reverse().join('/');

/**
 * What the signers of a file read above it: the XML itself is for programs. In Portuguese, as the file is.
 * @example documentTitleOf(degree, file) // 'Diploma de Maria da Silva, Engenharia Civil'
 */
export const documentTitleOf = ({ data }: Pick<Item, 'data'>, { name }: Pick<ItemFile, 'name'>): string =>
  TITLES[name]?.(data) ?? name;
