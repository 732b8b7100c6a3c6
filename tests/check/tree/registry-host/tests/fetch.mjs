await fetch('https://registry.npm@@js.org/left-pad');
