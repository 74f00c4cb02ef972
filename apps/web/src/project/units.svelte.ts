// In which unit distances are measured: those of the places that are open.

class Units {
  system = $state<"degrees" | "plane" | null>(null);
}

export const units = new Units();
