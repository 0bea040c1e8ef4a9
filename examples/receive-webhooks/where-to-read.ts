import type { WebhookEvent } from '@sinete/client/webhooks';

// The longest name first: EmissionRegistration… is about an emission, and Registration… about a request.
const FAMILIES: readonly (readonly [family: string, path: string])[] = [
  ['EmissionRegistration', '/credentials/api/emissions'],
  ['Emission', '/credentials/api/emissions'],
  ['Registration', '/credentials/api/registrations'],
  ['Degree', '/credentials/api/degrees'],
  ['AcademicTranscript', '/credentials/api/academic-transcripts'],
  ['Curriculum', '/credentials/api/curriculums'],
  ['CancellationList', '/credentials/api/institutes/{institute}/cancellation-lists'],
  ['InspectionFile', '/credentials/api/institutes/{institute}/inspection-files'],
  ['Restamp', '/credentials/api/restamps'],
  ['Document', '/documents/api/documents'],
];

/**
 * Where the current state of what an event is about can be read, or undefined for an event that is about nothing, such as a
 * test. The platforms tell late, twice and out of order: the answer there counts, not the event.
 */
export function whereToRead(event: WebhookEvent): string | undefined {
  const [, path] = FAMILIES.find(([family]) => event.type.startsWith(family)) ?? [];
  const data: object = 'data' in event ? event.data : {};
  return path && 'id' in data ? `${path}/${encodeURIComponent(String(data.id))}` : undefined;
}
