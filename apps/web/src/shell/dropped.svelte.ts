// Files that were dropped somewhere on the page: none is lost, and the browser does not leave the page for one.

class Dropped {
  files = $state.raw<File[]>([]);

  /** Gives back what was dropped, once. */
  take(): File[] {
    const files = this.files;
    this.files = [];
    return files;
  }
}

export const dropped = new Dropped();

/** Whether files are dragged, and not a line of a tree. */
export const bringsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
