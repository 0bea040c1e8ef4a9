import { formatDay } from '../../time.ts';
import { translations } from '../../translations.ts';
import { element } from '../element.ts';
import { language } from '../page-language.ts';

const degreeWords = translations({
  document: { en: 'Document', 'pt-BR': 'Documento' },
  student: { en: 'Student', 'pt-BR': 'Aluno' },
  course: { en: 'Course', 'pt-BR': 'Curso' },
  degree: { en: 'Degree', 'pt-BR': 'Grau' },
  institution: { en: 'Issued by', 'pt-BR': 'Instituição emissora' },
  registrar: { en: 'Registered by', 'pt-BR': 'Instituição registradora' },
  curriculum: { en: 'Curriculum', 'pt-BR': 'Currículo' },
  sequence: { en: 'Number of the list', 'pt-BR': 'Número da lista' },
  from: { en: 'From', 'pt-BR': 'Início' },
  until: { en: 'Until', 'pt-BR': 'Fim' },
  degrees: { en: 'Degrees in it', 'pt-BR': 'Diplomas' },
  concluded: { en: 'Concluded on', 'pt-BR': 'Concluído em' },
  graduated: { en: 'Degree conferred on', 'pt-BR': 'Colação de grau em' },
  issued: { en: 'Issued on', 'pt-BR': 'Expedido em' },
  registered: { en: 'Registered on', 'pt-BR': 'Registrado em' },
  code: { en: 'Validation code', 'pt-BR': 'Código de validação' },
});

/** The roots of the files that the Ministry of Education names. */
const rootWords = translations({
  Diploma: { en: 'Diploma', 'pt-BR': 'Diploma' },
  DocumentacaoAcademicaRegistro: {
    en: 'Academic documentation for registration',
    'pt-BR': 'Documentação acadêmica para registro',
  },
  DocumentoHistoricoEscolarParcial: { en: 'Partial transcript', 'pt-BR': 'Histórico escolar parcial' },
  DocumentoHistoricoEscolarFinal: { en: 'Transcript', 'pt-BR': 'Histórico escolar' },
  DocumentoHistoricoEscolarSegundaViaNatoFisico: {
    en: 'Second copy of a transcript',
    'pt-BR': 'Segunda via do histórico escolar',
  },
  CurriculoEscolar: { en: 'Curriculum', 'pt-BR': 'Currículo escolar' },
  ListaDiplomasAnulados: { en: 'List of annulled degrees', 'pt-BR': 'Lista de diplomas anulados' },
  ArquivoFiscalizacao: { en: 'Inspection file', 'pt-BR': 'Arquivo de fiscalização' },
});

type Fact = Exclude<keyof ReturnType<typeof degreeWords>, 'document'>;

// Elements by the end of their path: of the ministry's schemas, and of the files that the credential platform writes.
// Who has a social name is called by it.
const PLACES: readonly (readonly [Fact, readonly string[]])[] = [
  ['student', ['Diplomado/NomeSocial', 'Aluno/NomeSocial', 'Diplomado/Nome', 'Aluno/Nome']],
  ['course', ['DadosCurso/NomeCurso', 'NomeCurso', 'Curso']],
  ['degree', ['GrauConferido']],
  ['institution', ['IesEmissora/Nome', 'IESEmissora']],
  ['registrar', ['IesRegistradora/Nome', 'IESRegistradora/Nome', 'IESRegistradora']],
  ['curriculum', ['CodigoCurriculo']],
  ['sequence', ['NumeroDeSequencia']],
  ['from', ['DataInicio']],
  ['until', ['DataFim']],
  ['degrees', ['QuantidadeDiplomas']],
  ['concluded', ['DataConclusao', 'DataConclusaoCurso']],
  ['graduated', ['DataColacaoGrau']],
  ['issued', ['DataExpedicaoDiploma', 'DataEmissaoHistorico']],
  ['registered', ['DataRegistroDiploma']],
  ['code', ['CodigoValidacao']],
];
// A list has one for each of its degrees.
const OF_ONE: readonly Fact[] = ['code'];
const LISTS: readonly string[] = ['ListaDiplomasAnulados', 'ArquivoFiscalizacao'];

/** What the XML of a degree says, in words. Undefined for any other XML. */
export function degreeFacts(xml: Document): HTMLElement | undefined {
  const { localName: root } = xml.documentElement;
  const roots: Readonly<Record<string, string>> = rootWords(language);
  const title = Object.hasOwn(roots, root) ? roots[root] : undefined;
  if (!title) return undefined;
  const words = degreeWords(language);
  const list = element('dl', { className: 'reader-facts' });
  const add = (name: string, value: string): void =>
    list.append(element('dt', {}, name), element('dd', {}, value));
  add(words.document, title);
  for (const [fact, paths] of PLACES) {
    if (LISTS.includes(root) && OF_ONE.includes(fact)) continue;
    const text = paths.map((path) => find(xml, path.split('/'))).find((found) => found);
    if (text) add(words[fact], asDay(text));
  }
  return list;
}

/** The text of the first element by this path that holds text alone. */
function find(xml: Document, path: readonly string[]): string | undefined {
  const [last = '', above] = path.toReversed();
  const found = [...xml.getElementsByTagNameNS('*', last)].find(
    ({ parentElement, childElementCount }) =>
      childElementCount === 0 && (above === undefined || parentElement?.localName === above),
  );
  return found?.textContent?.trim() || undefined;
}

const asDay = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? formatDay(language, Date.parse(`${text}T12:00:00Z`)) : text;
