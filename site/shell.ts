/** The document around a page of the app, whose scripts are built separately. */
export interface Shell {
  /** The elements that load its style sheet, fonts and scripts. */
  head: string;
  checkout: boolean;
  lessons: boolean;
}
