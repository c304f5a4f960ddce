/** What stands around a page of the application, whose scripts are built apart. */
export interface Shell {
  /** The elements by which it asks for its style sheet, its fonts and its scripts. */
  head: string;
  checkout: boolean;
  lessons: boolean;
}
