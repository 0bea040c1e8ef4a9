import { type Element, element, writeXml } from '../../../../shared/xml/xml.ts';
import type {
  CancellationListData,
  CurriculumData,
  DegreeData,
  EmissionData,
  InspectionFileData,
  RegistrationData,
  TranscriptData,
} from './data.ts';
import type { KindName } from './kinds.ts';

// The roots are those that the Ministry of Education names. What is below them is ours: nothing here claims that a file
// conforms to a schema that it was not checked against.

type Student = Pick<
  DegreeData,
  'studentName' | 'studentSocialName' | 'studentCpf' | 'course' | 'issuingIes' | 'version'
>;

const aboutStudent = ({ studentName, studentSocialName, studentCpf }: Student): Element =>
  element('Aluno', [
    element('Nome', studentName),
    element('NomeSocial', studentSocialName),
    element('CPF', studentCpf),
  ]);

const aboutStudies = (data: Student): Element[] => [
  element('Versao', data.version),
  aboutStudent(data),
  element('Curso', data.course),
  element('IESEmissora', data.issuingIes),
];

const TRANSCRIPT_ROOTS: Readonly<Record<TranscriptData['type'], string>> = {
  Partial: 'DocumentoHistoricoEscolarParcial',
  Final: 'DocumentoHistoricoEscolarFinal',
  SecondCopyBornPhysical: 'DocumentoHistoricoEscolarSegundaViaNatoFisico',
};

/** The root that a transcript of this type has. */
export const rootsOfTranscript = (type: TranscriptData['type']) => ({ transcript: [TRANSCRIPT_ROOTS[type]] });

/** The files of each kind and the roots that they may have. */
export const ROOTS = {
  degree: { diploma: ['Diploma'], 'academic-documentation': ['DocumentacaoAcademicaRegistro'] },
  emission: { 'academic-documentation': ['DocumentacaoAcademicaRegistro'] },
  registration: { diploma: ['Diploma'] },
  transcript: { transcript: Object.values(TRANSCRIPT_ROOTS) },
  curriculum: { curriculum: ['CurriculoEscolar'] },
  cancellationList: { 'cancellation-list': ['ListaDiplomasAnulados'] },
  inspectionFile: { 'inspection-file': ['ArquivoFiscalizacao'] },
  restamp: {},
} as const satisfies Readonly<Record<KindName, Readonly<Record<string, readonly string[]>>>>;

const file = (name: string, root: string, content: readonly Element[]) => ({
  name,
  bytes: writeXml(element(root, content)),
});

const diploma = (data: DegreeData | RegistrationData) =>
  file('diploma', 'Diploma', [
    ...aboutStudies(data),
    element('IESRegistradora', data.registeringIes),
    element('CodigoValidacao', data.verificationCode),
  ]);

/** A degree has two: it is concluded when both are signed. */
export const filesOfDegree = (data: DegreeData) => [
  diploma(data),
  file('academic-documentation', 'DocumentacaoAcademicaRegistro', aboutStudies(data)),
];

export const filesOfEmission = (data: EmissionData) => [
  file('academic-documentation', 'DocumentacaoAcademicaRegistro', aboutStudies(data)),
];

/** The diploma as the registrar signs it. It is the degree's as well. */
export const diplomaOfRegistration = (data: RegistrationData) => diploma(data);

export const filesOfTranscript = (data: TranscriptData) => [
  file('transcript', TRANSCRIPT_ROOTS[data.type], [
    ...aboutStudies(data),
    element('CodigoValidacao', data.verificationCode),
  ]),
];

export const filesOfCurriculum = ({ code, course, iesName, version, validationCode }: CurriculumData) => [
  file('curriculum', 'CurriculoEscolar', [
    element('Versao', version),
    element('CodigoCurriculo', code),
    element('Curso', course),
    element('IESEmissora', iesName),
    element('CodigoValidacao', validationCode),
  ]),
];

type Annulled = {
  readonly verificationCode: string;
  readonly cancellationReason: string;
  readonly atMs: number;
};

export const filesOfCancellationList = (data: CancellationListData, annulled: readonly Annulled[]) => [
  file('cancellation-list', 'ListaDiplomasAnulados', [
    element('Versao', data.version),
    element('NumeroDeSequencia', data.sequenceNumber),
    element('IESRegistradora', [element('Nome', data.iesName), element('CodigoMEC', data.iesCode)]),
    element(
      'DiplomasAnulados',
      annulled.map(({ verificationCode, cancellationReason, atMs }) =>
        element('DiplomaAnulado', [
          element('CodigoValidacao', verificationCode),
          element('DataAnulacao', new Date(atMs).toISOString()),
          element('MotivoAnulacao', cancellationReason),
        ]),
      ),
    ),
    element('DataMaximaProximaAtualizacao', data.maximumNextUpdateDate),
  ]),
];

export const filesOfInspection = (data: InspectionFileData, verificationCodes: readonly string[]) => [
  file('inspection-file', 'ArquivoFiscalizacao', [
    element(
      data.type === 'Issuer' ? 'infArquivoFiscalizacaoEmissora' : 'infArquivoFiscalizacaoRegistradora',
      [
        element('Versao', data.version),
        element('CodigoMEC', data.iesCode),
        element('DataInicio', data.startDate),
        element('DataFim', data.endDate),
        element('QuantidadeDiplomas', data.inspectedDegreesNumber),
        element(
          'Diplomas',
          verificationCodes.map((code) => element('CodigoValidacao', code)),
        ),
      ],
    ),
  ]),
];
