import { formatDay } from '../../time.ts';
import { translations } from '../../translations.ts';
import { element } from '../element.ts';
import { language } from '../page-language.ts';

const degreeWords = translations({
  student: { en: 'Student', 'pt-BR': 'Aluno' },
  course: { en: 'Course', 'pt-BR': 'Curso' },
  institution: { en: 'Institution', 'pt-BR': 'Instituição' },
  concluded: { en: 'Concluded on', 'pt-BR': 'Concluído em' },
  graduated: { en: 'Degree conferred on', 'pt-BR': 'Colação de grau em' },
  issued: { en: 'Issued on', 'pt-BR': 'Expedido em' },
  registered: { en: 'Registered on', 'pt-BR': 'Registrado em' },
});

type Fact = keyof ReturnType<typeof degreeWords>;

// Elements of the schemas of the Ministry of Education, as the end of their path.
const PLACES: readonly (readonly [Fact, readonly string[]])[] = [
  ['student', ['Diplomado/Nome', 'Aluno/Nome']],
  ['course', ['DadosCurso/NomeCurso', 'NomeCurso']],
  ['institution', ['IesEmissora/Nome']],
  ['concluded', ['DataConclusao', 'DataConclusaoCurso']],
  ['graduated', ['DataColacaoGrau']],
  ['issued', ['DataExpedicaoDiploma', 'DataExpedicao']],
  ['registered', ['DataRegistroDiploma']],
];

const NAMESPACE = 'http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd';

/** What a degree says, in words. Undefined for any other XML. */
export function degreeFacts(xml: Document): HTMLElement | undefined {
  if (xml.documentElement.namespaceURI !== NAMESPACE) return undefined;
  const words = degreeWords(language);
  const list = element('dl', { className: 'reader-facts' });
  for (const [fact, paths] of PLACES) {
    const text = paths.map((path) => find(xml, path.split('/'))).find((found) => found);
    if (text) list.append(element('dt', {}, words[fact]), element('dd', {}, asDay(text)));
  }
  return list.children.length > 0 ? list : undefined;
}

function find(xml: Document, path: readonly string[]): string | undefined {
  const [last = '', above] = path.toReversed();
  const found = [...xml.getElementsByTagNameNS('*', last)].find(
    ({ parentElement }) => above === undefined || parentElement?.localName === above,
  );
  return found?.textContent?.trim() || undefined;
}

const asDay = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? formatDay(language, Date.parse(`${text}T12:00:00Z`)) : text;
