const ROWS = {
  Degree: ['Created', 'Concluded', 'Canceled', 'CanceledTemporarily', 'Restored'],
  Emission: ['Created', 'Signed', 'SentToRegistry', 'Registered', 'Canceled'],
  EmissionRegistration: ['Accepted', 'Approved', 'Rejected', 'Canceled', 'Registered'],
  Registration: ['Created', 'Accepted', 'Approved', 'Rejected', 'Registered', 'Signed', 'Canceled'],
  // A restored transcript is told as Concluded.
  AcademicTranscript: ['Created', 'Concluded', 'Canceled', 'CanceledTemporarily'],
  Curriculum: ['Created', 'Concluded', 'Canceled'],
  CancellationList: ['Created', 'Signed'],
  InspectionFile: ['Created', 'Signed', 'GenerationError'],
  Restamp: ['Created', 'Updated', 'Applied', 'ApplyingError'],
} as const;

/** Every type of an event. No other name is ever sent, least of all the six obsolete ones. */
const EVENT_TYPES: ReadonlySet<string> = new Set(
  Object.entries(ROWS).flatMap(([family, events]) => events.map((event) => `${family}${event}`)),
);

const TOLD_AS: Readonly<Record<string, string>> = {
  AcademicTranscriptRestored: 'AcademicTranscriptConcluded',
};

/**
 * The type of an event of a family, or undefined for an event that is not sent.
 * @example typeOf('Degree', 'restored') // 'DegreeRestored'
 *          typeOf('EmissionRegistration', 'signed') // undefined
 */
export function typeOf(family: string, event: string): string | undefined {
  const name = `${family}${event.charAt(0).toUpperCase()}${event.slice(1)}`;
  const type = TOLD_AS[name] ?? name;
  return EVENT_TYPES.has(type) ? type : undefined;
}
