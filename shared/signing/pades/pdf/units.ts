/** What reading costs: units of about a nanosecond, as measured alone over 100,000 of its kind. */
export const BYTE_UNITS = 4;
export const HEXADECIMAL_BYTE_UNITS = 1;
export const VALUE_UNITS = 120;
export const SKIMMED_VALUE_UNITS = 40;
/** Beside what every value costs: collecting them is the larger part. */
export const REF_UNITS = 100;
export const STRING_UNITS = 250;
export const ARRAY_UNITS = 150;
export const DICT_UNITS = 700;
/** An object, beside its value. */
export const OBJECT_UNITS = 500;
/** Of what is searched or compared as a whole, and of what is unpacked. */
export const SKIMMED_BYTE_UNITS = 0.3;
export const UNPACKED_BYTE_UNITS = 3;
export const HASHED_BYTE_UNITS = 1;
export const UNPREDICTED_BYTE_UNITS = 12;
/** Asking one section for an object. */
export const LOOKUP_UNITS = 10;
/** Putting the letters of a name in that it hides: of each byte of the name, in time and in memory. */
export const ESCAPED_BYTE_UNITS = 60;
export const ESCAPED_BYTE_BYTES = 12;
/** A letter of a name that is put together, and looking one up in a set. */
export const LETTER_UNITS = 1;
export const MEMBER_UNITS = 40;
/** Going again through a value that was kept. */
export const KEPT_VALUE_UNITS = 20;

/** What a value takes in memory, its share of the list that it stands in included. */
export const NUMBER_BYTES = 24; // as the list grows, its slot is there two and a half times
export const REAL_BYTES = 88;
export const NAME_BYTES = 80;
export const REF_BYTES = 72;
export const STRING_BYTES = 136; // a view of the file
export const ARRAY_BYTES = 200; // the first item takes room for seventeen
export const DICT_BYTES = 200;
export const ENTRY_BYTES = 32; // beside its name and its value
/** A run of objects in a cross-reference, in the order of the file and in that of their numbers. */
export const RUN_UNITS = 400;
export const RUN_BYTES = 96;
/** An object in the list of those that stand after a signature. */
export const LISTED_BYTES = 160;
/** A node of the form: itself, its reference, and its places in a list, a set and a map. */
export const FIELD_BYTES = 320;
/** A page in a list. */
export const PAGE_BYTES = 160;
/** Two objects that are still to be compared, and that two with different numbers were met. */
export const PAIR_BYTES = 80;
export const UNLIKE_BYTES = 160;
/** A number in a set. */
export const MEMBER_BYTES = 48;
