/** The person has something else to do first, or changed their mind: the form is theirs again, and nothing is told. */
export class ActCanceled extends Error {
  override readonly name = 'ActCanceled';
}
